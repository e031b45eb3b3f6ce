import { captureLimits, maxPerPage } from '../../adapters/rest/epcis/call.ts'
import { resources } from '../../adapters/rest/epcis/resources.ts'
import type { Audience } from '../../adapters/rest/standard-caller.ts'
import { convertedUnits, maxEarlier, maxSubscriptions } from '../../engine/index.ts'
import { eventMembers, indexed, textParameters } from '../../projections/epcis/facets.ts'
import { fieldParts } from '../../projections/epcis/fields.ts'
import { sensorValues } from '../../projections/epcis/measures.ts'
import { notOffered } from '../../projections/epcis/query.ts'
import { cbvFormats, epcFormats } from '../../projections/epcis/translate.ts'
import { code, codes, page, table } from './markdown.ts'

const audiences: Readonly<Record<Audience, string>> = {
  everybody: 'everybody',
  accounts: 'providers, accounts',
  providers: 'providers',
}

/** The interface of EPCIS 2.0: each operation, and each parameter of a query. */
export function epcisPage(): string {
  const rows = resources.flatMap(({ path, methods }) => [
    [code(`OPTIONS ${path}`), 'everybody'],
    ...Object.entries(methods).map(([method, { audience }]) => [code(`${method} ${path}`), audiences[audience]]),
  ])
  return page(
    'EPCIS interface',
    ['adapters/rest/epcis/resources.ts', 'projections/epcis/query.ts', 'projections/epcis/facets.ts'],
    [
      `The capture and query interface of [EPCIS 2.0](https://ref.gs1.org/standards/epcis/2.0.0/) under \`/epcis\`. [How to use
it](../how-to/use-epcis.md). A test calls every operation of GS1's OpenAPI description. \`DELETE\` of a \`nextPageToken\` is answered
with 204: the token itself says where its page begins, so the server holds nothing that could be released.`,
      '## Operations',
      table(['operation', 'for'], rows),
      '## Parameters of a query',
      parameterTable(),
      `Events are looked up by the first of these that the query has, or else by their time, and checked for the rest:
${codes(indexed)}. \`MATCH_epc\` and the like are looked up as \`MATCH_anyEPC\`. A page looks at 2,000 events at most, so it may be
short, or empty, and have a next one.

Names and values can have a prefix: GS1's own, those of the header \`GS1-Extensions: ex=https://ns.example/\`, and in a named query
those of its \`@context\`.

\`MATCH_\` parameters also take patterns of all GS1 keys, such as \`urn:epc:idpat:sgtin:4012345.011111.*\` or
\`urn:epc:idpat:sscc:4012345.*\`, and of lots (\`urn:epc:idpat:lgtin:\`). A pattern finds things and classes, as URN or Digital
Link. Stars stand for whole parts, and only at the end; other patterns are refused with 400. Events are not looked up by patterns.`,
      '## What is not offered',
      `Refused with a \`QueryParameterException\` and the name of the parameter:

${notOffered.map(([pattern, reason]) => `- ${code(String(pattern).slice(1, -1))}: ${reason}`).join('\n')}
`,
      '## Forms of keys and words',
      `\`GS1-EPC-Format\` writes the keys in answers with events, in \`/epcs\`, \`/bizLocations\`, \`/readPoints\`, in live results and, on
\`POST\` of a subscription, in what it sends: ${codes(epcFormats)}. \`GS1-CBV-XML-Format\` does the same with words of CBV in XML:
${codes(cbvFormats)}. Other values are refused with 406. The response says which form it has. Without these headers, and with
\`No_Preference\`, events are as they came; the standard names links as what is usual. Keys in extensions and ILMD are never
translated. In queries, every form is taken at all times.

A Digital Link does not show where its company prefix ends. With \`Always_EPC_URN\` it becomes a URN if another URN of the same
answer has its prefix, and otherwise stays a link. The lists have links, as do answers with \`Always_GS1_Digital_Link\`, under
\`https://id.gs1.org\` where it was a URN.`,
      '## Subscriptions',
      `A schedule has the fields \`second\`, \`minute\`, \`hour\`, \`dayOfMonth\`, \`month\` and \`dayOfWeek\` (1 is Monday), in UTC. A
field has numbers and ranges, separated by commas (\`0,[5-7]\`); \`*\` and steps (\`0/30\`) are taken too. All fields have to
match. Of the time of day, a field that is left out is 0 if it is finer than all that are given, and otherwise any. Reports are
at least 10 seconds apart.

A query with \`eventCountLimit\` or \`maxEventCount\` has no subscriptions. A provider or an account has ${maxSubscriptions} at most. One of a
provider with \`initialRecordTime\` begins with ${maxEarlier.toLocaleString('en')} recorded events at most; one of an account does not begin in the
past. Bodies are JSON.

In place of a web socket, \`GET /queries/{queryName}/events?stream=true\` with \`Accept: text/event-stream\` answers with
server-sent events, as results come; a schedule is refused there. It counts against the limit \`streams\`.`,
      '## Limits',
      `A document has at most ${captureLimits.events.toLocaleString('en')} events and ${captureLimits.bytes.toLocaleString('en')} bytes. Calls count against the
[limits](limits.md) \`ingest\` (POST), \`calls\`, and without credentials \`public_reads\`.`,
    ],
  )
}

function parameterTable(): string {
  return table(
    ['parameters', 'are'],
    [
      [
        codes([...textParameters, 'EQ_bizTransaction_TYPE', 'EQ_source_TYPE', 'EQ_destination_TYPE']),
        'one or more values, separated by `|`; words of CBV and GS1 keys in any spelling',
      ],
      [
        codes([
          'GE_eventTime',
          'LT_eventTime',
          'GE_recordTime',
          'LT_recordTime',
          'GE_errorDeclarationTime',
          'LT_errorDeclarationTime',
          'GE_time',
          'LT_time',
          'GE_startTime',
          'LT_startTime',
          'GE_endTime',
          'LT_endTime',
        ]),
        'date-times with an offset',
      ],
      [codes(['EQ_quantity', 'GT_quantity', 'GE_quantity', 'LT_quantity', 'LE_quantity']), 'numbers'],
      [
        codes([...sensorValues, 'quantity'].map((name) => `GE_${name}_UOM`)),
        `numbers of sensor reports and quantities in a unit of UN/CEFACT recommendation 20, such as \`GE_value_CEL\`; also with \`EQ_\`,
\`GT_\`, \`LT_\`, \`LE_\`. A value in another unit is converted within each of these groups: ${convertedUnits.map(codes).join('; ')}`.replaceAll(
          '\n',
          ' ',
        ),
      ],
      [codes(['EQ_percRank', 'GT_percRank', 'GE_percRank', 'LT_percRank', 'LE_percRank']), 'numbers'],
      [codes(['EXISTS_MEMBER']), `true or false; a member is one of ${codes([...eventMembers])}`],
      [
        codes(['WD_readPoint', 'WD_bizLocation']),
        'places, and their parts: those of a GLN by its extension (AI 254). Other parts are master data, which is not kept',
      ],
      [
        codes(['EQ_FIELD', 'GT_FIELD', 'GE_FIELD', 'LT_FIELD', 'LE_FIELD', 'EXISTS_FIELD']),
        `fields of extensions, as \`https://ns.example/#name\` or \`ex:name\`: texts for \`EQ_\`, true for \`EXISTS_\`, otherwise a number
or a date-time. Before the field can be ${codes(fieldParts)}, and before these \`INNER_\` for fields within fields`.replaceAll(
          '\n',
          ' ',
        ),
      ],
      [codes(['orderBy', 'orderDirection']), '`eventTime` (default) or `recordTime`; `DESC` (default) or `ASC`'],
      [
        codes(['eventCountLimit', 'maxEventCount']),
        'at most so many events; with `maxEventCount`, more are refused with 413',
      ],
      [
        codes(['perPage', 'nextPageToken']),
        `the size of a page (30, at most ${maxPerPage}), and the token of the next one`,
      ],
    ],
  )
}
