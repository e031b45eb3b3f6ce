import { requirementTable } from '../../adapters/rest/sensorthings/conformance.ts'
import { pageLimits } from '../../adapters/rest/sensorthings/list.ts'
import { readAtOnce } from '../../adapters/rest/sensorthings/measured.ts'
import { maxObservations } from '../../adapters/rest/sensorthings/write.ts'
import { maxDepth } from '../../projections/sensorthings/query/expression.ts'
import { limits } from '../../projections/sensorthings/query/options.ts'
import { maxPositions } from '../../projections/sensorthings/query/shapes.ts'
import { maxTokens } from '../../projections/sensorthings/query/tokens.ts'
import { code, codes, page, table } from './markdown.ts'

/** The SensorThings service: its entities, each requirement of the standard, and its limits. */
export function sensorthingsPage(): string {
  const rows = requirementTable.map(({ group, names, isMet, note = '' }) => [
    code(`${group}/`),
    codes(names),
    isMet,
    note,
  ])
  return page(
    'SensorThings service',
    ['adapters/rest/sensorthings/conformance.ts', 'projections/sensorthings/query/options.ts'],
    [
      `The service of [OGC SensorThings API 1.1, Part 1](https://docs.ogc.org/is/18-088/18-088.html) at \`/sensorthings/v1.1\`. [How
to use it](../how-to/use-sensorthings.md). A client that knows nothing but the standard tests it
([sensorthings-rest.test.ts](../../conformance/sensorthings-rest.test.ts)), and a judge reads every answer.`,
      '## Entities',
      `| entity | is | its id |
| --- | --- | --- |
| Thing | a timeline | the name of the timeline (\`tracking_number:SR1\`); every identifier finds it, too |
| Location, HistoricalLocation | a place of an event, and each move | that of the Thing, \`/\`, and its own |
| Datastream | the status as one source reports it, or what one sensor measures | \`tracking_number:SR1/carrier_tracking:acme\`, \`tracking_number:SR1/temperature:DEVICE:COMPONENT\`, with percent signs in the last two |
| Sensor | a source of events, or a device | that of the Thing, \`/\`, and its own |
| ObservedProperty | \`status:PROFILE\`, or a kind of measurement (\`temperature\`) | the same for all Things |
| Observation | an event in force, or a reading | that of the Thing, \`/\`, and the id of the event; of a reading that of its Datastream, \`@\` and its own |
| FeatureOfInterest | the place of an event; of a reading, the thing itself | that of the Thing, \`/\`, and its own |

A list has the Things that the caller may see because of who it is: an account those of its orders, a provider those of its
business and what it reported, an operator all. A stranger has none, and reads a Thing whose identifier it knows, as it reads the
timeline. In the reduced view of the public there are no Datastreams of sensors.`,
      '## What is met',
      table(['requirements of 18-088', '', 'met', ''], rows),
      'The root lists those that are met in `serverSettings.conformance`.',
      '## Limits',
      `| what | at most |
| --- | --- |
| entities of a page; without \`$top\` | ${number(pageLimits.most)}; ${pageLimits.usual} |
| \`$filter\`, \`$expand\` and every other option | ${number(limits.characters)} characters, nested ${maxDepth} deep, ${number(maxTokens)} words and signs |
| \`$expand\` | ${limits.depth} deep, ${limits.expansions} relations |
| \`$orderby\` | ${limits.criteria} criteria |
| \`$skip\` | ${number(limits.skip)} |
| positions of a geometry | ${maxPositions} |
| what is looked at for one page in the order of the list | ${pageLimits.stretches} Things, or ${number(pageLimits.stretches * readAtOnce)} readings; the page may then be shorter, or empty, and has a link to the next one |
| what is looked at for another order or a count | ${number(pageLimits.whole)} Things, or ${number(pageLimits.whole * readAtOnce)} readings; more is refused with 413 |
| Observations in one \`CreateObservations\` | ${number(maxObservations)} |

Distances and lengths are in degrees, the unit of the coordinates. Intervals are before or after another time if they do not
overlap. Times in conditions have an offset; parts of a time (\`hour\`) are in the offset of the value.`,
    ],
  )
}

function number(count: number): string {
  return count.toLocaleString('en')
}
