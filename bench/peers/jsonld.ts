import { type Batch, ceilingOf, consume, unitsOf } from '../../adapters/cli/bench/writing.ts'
import { officialContext } from '../../conformance/judges/epcis/files.ts'
import { epcis } from '../../projections/epcis/index.ts'
import { type Case, measured, type Settings } from '../harness.ts'

/** The measured parts of jsonld. */
interface Jsonld {
  expand(document: object, options: { readonly documentLoader: (url: string) => Promise<object> }): Promise<object>
}

/** The same documents expanded by jsonld, for comparison; empty if the context of the standard is not available. */
export function jsonldPeer(batch: Batch, peer: Settings['peer']): readonly Case[] {
  const jsonld = peer<Jsonld>('jsonld')
  const { here: document } = officialContext()
  if (jsonld === undefined || document === undefined) return []
  const options = { documentLoader: async (documentUrl: string) => ({ documentUrl, document }) }
  const documents = batch.timelines.map((timeline) => epcis.project(timeline, batch.target))
  const run = () =>
    measured(unitsOf({ ...batch, passes: 1 }), async () => {
      for (const one of documents) consume(await jsonld.expand(one, options))
    })
  return [{ name: `jsonld expand of ready documents, ${batch.name}`, reference: ceilingOf(batch), run }]
}
