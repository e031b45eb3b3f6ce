import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { faultsOf } from './rules.ts'
import { requestSchema } from './schema.ts'
import { sdkJudge } from './sdk.ts'
import { serializerJudge } from './serializer.ts'

/** The judges of traces in OTLP/JSON. */
export const judges: readonly ReadyJudge[] = [
  serializerJudge,
  sdkJudge,
  schemaJudge({ name: 'JSON Schema of our own (trace.proto)', format: 'otlp', schema: () => requestSchema }),
  rulesJudge('rules that no schema states', 'otlp', faultsOf),
]
