import type { Judge, Judged } from '../judge.ts'
import { type Graph, graphOf } from './graph.ts'
import { missingOntology } from './ontology.ts'
import { ruleFaults } from './rules.ts'
import { shapeFaults, strangeMembers } from './shapes.ts'

/** Judges of ONE Record documents, in all three forms of JSON-LD. */
export const judges: readonly Judge[] = [
  judgeOf('ontology 3.2 as SHACL', async (graph) => [...(await shapeFaults(graph)), ...strangeMembers(graph)]),
  judgeOf('rules that no ontology states', ruleFaults),
]

function judgeOf(
  name: string,
  faultsOf: (graph: Graph, document: Judged) => Promise<readonly string[]> | readonly string[],
): Judge {
  return {
    name,
    format: 'onerecord',
    missing: missingOntology,
    takes: ({ mediaType }) => mediaType === 'application/ld+json' || mediaType === 'application/json',
    judge: async (document) => {
      try {
        return await faultsOf(await graphOf(document), document)
      } catch (error) {
        return [`It cannot be read as JSON-LD: ${error instanceof Error ? error.message : String(error)}`]
      }
    },
  }
}
