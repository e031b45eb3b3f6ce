import type { Judge, Judged } from '../judge.ts'
import { madeOf } from '../official.ts'
import { type Graph, graphOf } from './graph.ts'
import { type Ontology, ontology } from './ontology.ts'
import { ruleFaults } from './rules.ts'
import { shapeFaults, strangeMembers } from './shapes.ts'

/** Judges of ONE Record documents, in all three forms of JSON-LD. */
export const judges: readonly Judge[] = [
  judgeOf('ontology 3.2 as SHACL', async (graph, _, known) => [
    ...(await shapeFaults(graph, known)),
    ...strangeMembers(graph, known),
  ]),
  judgeOf('rules that no ontology states', ruleFaults),
]

function judgeOf(
  name: string,
  faultsOf: (graph: Graph, document: Judged, ontology: Ontology) => Promise<readonly string[]> | readonly string[],
): Judge {
  return {
    name,
    format: 'onerecord',
    takes: ({ mediaType }) => mediaType === 'application/ld+json' || mediaType === 'application/json',
    open: madeOf(ontology, (known) => async (document) => {
      try {
        return await faultsOf(await graphOf(document), document, known)
      } catch (error) {
        return [`It cannot be read as JSON-LD: ${error instanceof Error ? error.message : String(error)}`]
      }
    }),
  }
}
