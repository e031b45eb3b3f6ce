import { call, otepValidate } from '../../engine/index.ts'
import { parseJson } from '../http/json.ts'
import type { Run } from './command.ts'
import { openInput, textOf } from './input.ts'
import { serverOf } from './remote/target.ts'
import { contextWithoutStore } from './session.ts'

interface Finding {
  readonly path: string
  readonly code?: string
  readonly message: string
  readonly requirement?: string
}

/** `otep validate`: checks the conformance of a document. */
export const run: Run = async (invocation) => {
  const document = parseJson(await textOf(openInput(invocation)))
  const server = await serverOf(invocation)
  const verdict = server
    ? await server.call('otep_validate', { document })
    : await call(otepValidate, await contextWithoutStore(invocation), { document })
  const { conformant, level, errors, warnings } = verdict as {
    conformant: boolean
    level: number
    errors: Finding[]
    warnings: Finding[]
  }
  if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  else {
    const lines = (kind: string, findings: readonly Finding[]) =>
      findings
        .map(
          ({ requirement, ...finding }) =>
            `${kind}: ${finding.path || '(document)'}: ${finding.message}${requirement === undefined ? '' : ` [${requirement}]`}\n`,
        )
        .join('')
    const verdictText = conformant ? `conformant, level ${level}` : 'not conformant'
    invocation.stdout.write(`${lines('error', errors)}${lines('warning', warnings)}${verdictText}\n`)
  }
  return conformant ? 0 : 1
}
