import type { Context } from '../../kernel/context.ts'
import { sha256 } from '../../kernel/id.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Answer } from '../../kernel/operation.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type OnBehalf, type ProviderCommand, providers, registerStream } from './decider.ts'
import { registerOf } from './read.ts'
import { endsOf, hour } from './schema.ts'

/** Runs a command on the register. */
export async function runCommand(context: Context, command: ProviderCommand): Promise<void> {
  await execute(context.store, providers, registerStream, command, toNewEvent(context))
}

function newKey(context: Context, name: string): string {
  return `otep_${name}_${`${context.randomId()}${context.randomId()}`.replaceAll('-', '')}`
}

function hoursFrom(at: string, hours: number): string {
  return isoOf(Date.parse(at) + hours * hour)
}

/** Adds a provider and returns its key. Only the SHA-256 of the key is stored. */
export async function makeKey(
  context: Context,
  {
    name,
    business_id,
    expires_in_hours,
  }: { readonly name: string; readonly business_id?: number | undefined; readonly expires_in_hours?: number },
  onBehalf: OnBehalf = {},
): Promise<Answer> {
  const key = newKey(context, name)
  const at = isoOf(context.clock())
  const expires_at = expires_in_hours === undefined ? undefined : hoursFrom(at, expires_in_hours)
  const chosen = omitUndefined({ business_id, expires_at })
  await runCommand(context, { type: 'AddProvider', name, key_hash: sha256(key), at, ...chosen, ...onBehalf })
  return { result: true, name, key, ...omitUndefined({ expires_at }) }
}

/** Gives a provider another key; the one before is accepted for a while. */
export async function renewKey(
  context: Context,
  {
    name,
    overlap_in_hours = 24,
    expires_in_hours,
  }: { readonly name: string; readonly overlap_in_hours?: number; readonly expires_in_hours?: number },
  onBehalf: OnBehalf = {},
): Promise<Answer> {
  const key = newKey(context, name)
  const at = isoOf(context.clock())
  const expires_at = expires_in_hours === undefined ? {} : { expires_at: hoursFrom(at, expires_in_hours) }
  const made = { key_hash: sha256(key), at, overlap_until: hoursFrom(at, overlap_in_hours), ...expires_at }
  await runCommand(context, { type: 'RotateKey', name, ...made, ...onBehalf })
  const rotated = (await registerOf(context)).get(name)
  return { result: true, name, key, ...(rotated === undefined ? {} : endsOf(rotated, at)) }
}
