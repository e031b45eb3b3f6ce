import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { insertedThingSchema } from './insert.ts'
import { faultsOf } from './rules.ts'
import { thingSchema } from './schema.ts'

/** The judges of Things; OGC publishes no schema of 18-088, and no test suite that works without a server. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'JSON Schema of our own (OGC 18-088)', format: 'sensorthings', schema: () => thingSchema }),
  rulesJudge('rules of 18-088 that no schema states', 'sensorthings', faultsOf),
  schemaJudge({
    ...{ name: 'JSON Schema of our own for deep inserts (OGC 18-088)', format: 'sensorthings' },
    ...{ schema: () => insertedThingSchema, isInput: true },
  }),
]
