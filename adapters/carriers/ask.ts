import { isValiError, safeParse } from 'valibot'
import {
  type Carrier,
  type CarrierAsking,
  type CarrierInputs,
  type CarrierMethod,
  type CarrierOutcome,
  type Carriers,
  carrierAnswers,
} from '../../engine/index.ts'
import { createTally } from '../node/tally.ts'
import { untilWrong } from './answers.ts'
import { isDocument } from './documents.ts'

/** The most questions to one carrier at once: of all, and of one business. One that does not end when it is aborted keeps its place. */
const most = { atOnce: 100, ofOne: 75 }

/** The carriers of a node. */
export interface NodeCarriers extends Carriers {
  /** Ends all questions: nobody waits for the answers any more. */
  close(): void
}

/** The carriers of this node: each answer is checked, and none is waited for longer than its deadline. */
export function createCarriers(installed: readonly Carrier[], clock: () => number): NodeCarriers {
  const ends = new Set<() => void>()
  const open = createTally()

  /** Takes a place; undefined if there is none. */
  function begun(carrier: string, business: number): (() => void) | undefined {
    const own = `${carrier} ${business}`
    if (open.of(carrier) >= most.atOnce || open.of(own) >= most.ofOne) return undefined
    const add = (more: number) => {
      for (const one of [carrier, own]) open.add(one, more)
    }
    add(1)
    return () => add(-1)
  }

  async function ask<Method extends CarrierMethod>(
    carrier: Carrier,
    method: Method,
    input: CarrierInputs[Method],
    { business, credentials, currency, deadline }: CarrierAsking,
  ): Promise<CarrierOutcome<Method>> {
    const end = begun(carrier.name, business)
    if (end === undefined) return { kind: 'failed', failure: 'too_busy' }
    const { signal, abort, clear } = abortedAfter(deadline)
    ends.add(abort)
    // The schema of the carrier has checked the credentials.
    const call = { credentials: credentials as never, currency, now: clock(), signal }
    const answering = Promise.resolve().then((): unknown => carrier[method]?.(input as never, call))
    answering.then(end, end)
    try {
      return outcomeOf(method, input, await Promise.race([answering, whenAborted(signal)]))
    } catch (error) {
      // A carrier that checks what its own server says throws what valibot throws.
      const failure = isValiError(error) ? 'wrong_answer' : 'broken'
      return { kind: 'failed', failure: signal.aborted ? 'timed_out' : failure }
    } finally {
      clear()
      ends.delete(abort)
    }
  }

  const close = () => {
    for (const end of ends) end()
  }
  return { installed, ask, close }
}

function abortedAfter(milliseconds: number) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, milliseconds)
  return { signal: controller.signal, abort, clear: () => clearTimeout(timer) }
}

function outcomeOf<Method extends CarrierMethod>(
  method: Method,
  input: CarrierInputs[Method],
  answer: unknown,
): CarrierOutcome<Method> {
  const { success, output } = safeParse(carrierAnswers[method], answer, untilWrong)
  if (!success) return { kind: 'failed', failure: 'wrong_answer' }
  if ('refused' in output) return { kind: 'refused', refusal: output.refused }
  if ('content' in output && 'document' in input && !isDocument(output.content, input.document.media_type))
    return { kind: 'failed', failure: 'wrong_answer' }
  return { kind: 'answered', answer: output as never }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
