import type { EventBase } from '../../entity/machine.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { eventNamesOf, type Profile } from '../../kernel/profile.ts'
import {
  type ProofContext,
  type ProofFileKind,
  proofContextOf,
  proofFileIdOf,
  trackingEventIdOf,
} from '../../kernel/proof-file.ts'
import { platformProvider } from '../../kernel/timeline.ts'
import type { OrderCreated, ProofBrought, ProofFact, ProofFileFact } from './facts.ts'

/** A proof file. */
export interface ProofFile {
  readonly id: number
  readonly kind: ProofFileKind
  /** URLs of all its images, oldest first; none is ever removed. */
  readonly versions: readonly string[]
  /** Version of the current image, from 1; the others are archived. */
  readonly current: number
  /** The event that the file belongs to. */
  readonly context: ProofContext
}

/** The proof files of an order; empty after an erasure. */
interface Proofs {
  readonly orderId: number
  readonly trackingNumber: string
  /** The latest event that completed or attempted a service. Files added by staff belong to it. */
  readonly latest: ProofContext
  /** In order of arrival. */
  readonly files: readonly ProofFile[]
  readonly isErased: boolean
  readonly isDeleted: boolean
}

/** Undefined before the order was created. */
export type ProofState = Proofs | undefined

/** The commands of staff on the proof files of an order. Refusals: `order_not_found`, and those of each command. */
export type ProofCommand =
  /** Refusals: `order_forgotten`, `too_many_proof_files`. */
  | (EventBase & {
      readonly type: 'AddFile'
      readonly file_id: number
      readonly kind: ProofFileKind
      readonly url: string
    })
  /** Does nothing if this is already the image. Refusals: `proof_file_not_found`, `too_many_proof_files`. */
  | (EventBase & { readonly type: 'ReplaceFile'; readonly file_id: number; readonly url: string })
  /** Does nothing if this is already the image. Refusals: `proof_file_not_found`, `proof_version_not_found`. */
  | (EventBase & { readonly type: 'RestoreFile'; readonly file_id: number; readonly version: number })
  /** Refusal: `proof_file_not_found`. */
  | (EventBase & { readonly type: 'RemoveFile'; readonly file_id: number })

/** The most files of an order that staff may add, and the most images of one file. */
export const maxProofFiles = 200

/** The context of a file without a recorded event. */
export const noProofContext: ProofContext = {
  tracking_event_id: null,
  tracking_event_status_id: null,
  tracking_event_key: null,
  service_type: null,
  service_status: null,
}

function reducerOf(profiles: readonly Profile[]): Reducer<ProofState, ProofFact> {
  return (state, fact) => {
    if (fact.type === 'OrderCreated') return opened(fact)
    return (
      state && { ...state, ...(fact.type === 'ProofBrought' ? proven(profiles, state, fact) : changed(state, fact)) }
    )
  }
}

function opened({ data: { order_id, tracking_number } }: OrderCreated): Proofs {
  return {
    orderId: order_id,
    trackingNumber: tracking_number,
    latest: noProofContext,
    files: [],
    isErased: false,
    isDeleted: false,
  }
}

/** Adds the files of a driver or a carrier, with the timeline event that they belong to, if there is one. */
function proven(profiles: readonly Profile[], state: Proofs, { data }: ProofBrought): Partial<Proofs> {
  const { event_id, status_code: code, photo_urls, signature_url } = data
  const name = { provider: platformProvider, event_id, trackingNumber: state.trackingNumber }
  const names = code === undefined ? undefined : eventNamesOf(profiles, code)
  const context = names === undefined ? noProofContext : proofContextOf(names, trackingEventIdOf(name))
  const file = (kind: ProofFileKind) => (url: string, place: number) => ({
    ...{ id: proofFileIdOf(name, kind, place), kind, versions: [url], current: 1, context },
  })
  const signatures = signature_url === undefined ? [] : [signature_url]
  return {
    files: [...state.files, ...photo_urls.map(file('photo')), ...signatures.map(file('signature'))],
    latest: names?.attempt === undefined ? state.latest : context,
  }
}

function changed(state: Proofs, fact: Exclude<ProofFact, OrderCreated | ProofBrought>): Partial<Proofs> {
  const { files, latest } = state
  switch (fact.type) {
    case 'ProofFileAdded': {
      const { file_id: id, kind, personal } = fact.data
      if (personal === undefined) return {}
      return { files: [...files, { id, kind, versions: [personal.url], current: 1, context: latest }] }
    }
    case 'ProofFileReplaced': {
      const { file_id, personal } = fact.data
      return personal === undefined ? {} : { files: files.map((file) => replaced(file, file_id, personal.url)) }
    }
    case 'ProofFileRestored': {
      const { file_id, version } = fact.data
      return { files: files.map((file) => restored(file, file_id, version)) }
    }
    case 'ProofFileRemoved':
      return { files: files.filter(({ id }) => id !== fact.data.file_id) }
    case 'OrderPersonalDataErased':
      return { files: [], isErased: true }
    case 'OrderDeleted':
      return { isDeleted: true }
    default:
      return {}
  }
}

function replaced(file: ProofFile, id: number, url: string): ProofFile {
  return file.id === id ? { ...file, versions: [...file.versions, url], current: file.versions.length + 1 } : file
}

function restored(file: ProofFile, id: number, current: number): ProofFile {
  return file.id === id && file.versions[current - 1] !== undefined ? { ...file, current } : file
}

function decide(command: ProofCommand, state: ProofState): readonly ProofFileFact[] {
  if (state === undefined || state.isDeleted) throw new EngineError('order_not_found', { order: state?.orderId ?? 0 })
  const base = { at: command.at, by: command.by, file_id: command.file_id }
  switch (command.type) {
    case 'AddFile': {
      if (state.isErased) throw erased(state)
      if (state.files.length >= maxProofFiles) throw tooMany()
      return [{ type: 'ProofFileAdded', data: { ...base, kind: command.kind, personal: { url: command.url } } }]
    }
    case 'ReplaceFile': {
      const { versions, current } = fileOf(state, command.file_id)
      if (imageOf({ versions, current }) === command.url) return []
      if (versions.length >= maxProofFiles) throw tooMany()
      const version = versions.length + 1
      return [{ type: 'ProofFileReplaced', data: { ...base, version, personal: { url: command.url } } }]
    }
    case 'RestoreFile': {
      const { versions, current } = fileOf(state, command.file_id)
      const { file_id: file, version } = command
      if (versions[version - 1] === undefined) throw new EngineError('proof_version_not_found', { file, version })
      return version === current ? [] : [{ type: 'ProofFileRestored', data: { ...base, version } }]
    }
    case 'RemoveFile':
      fileOf(state, command.file_id)
      return [{ type: 'ProofFileRemoved', data: base }]
    default:
      return command satisfies never
  }
}

function fileOf({ files }: Proofs, id: number): ProofFile {
  const found = files.find((file) => file.id === id)
  if (found === undefined) throw new EngineError('proof_file_not_found', { file: id })
  return found
}

function erased({ orderId }: Proofs): EngineError {
  return new EngineError('order_forgotten', { order: orderId })
}

function tooMany(): EngineError {
  return new EngineError('too_many_proof_files', { limit: maxProofFiles })
}

/** The URL of a file's current image. */
export function imageOf({ versions, current }: Pick<ProofFile, 'versions' | 'current'>): string {
  return versions[current - 1] ?? ''
}

/**
 * The decider of an order's proof files, whose events are in the stream of the order. The profiles give the meaning
 * of codes.
 */
export function proofsOf(profiles: readonly Profile[]) {
  return { initial: () => undefined, evolve: reducerOf(profiles), decide } satisfies Decider<
    ProofState,
    ProofCommand,
    ProofFact
  >
}
