import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { fileTypes } from '../../kernel/files.ts'
import { deriveNumber } from '../../kernel/id.ts'
import { named } from '../../kernel/named.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { proofContextEntries } from '../../kernel/proof-file.ts'
import { id, number, url } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { imageOf, type ProofCommand, type ProofFile, type ProofState, proofsOf } from './files.ts'
import { keepUpload, largestUpload, linkTimes, linkTo, uploadIn } from './uploads.ts'

const path = '/api/v1/orders/{order_id}/proof-files'
const onePath = `${path}/{file_id}` as const
const byStaff = { risk: 'medium', roles: ['client_admin', 'client_employee'], tag: 'Client' } as const
const orderEntries = { order_id: v.pipe(id, v.description('Id of the order.')) }
const fileEntries = { ...orderEntries, file_id: v.pipe(id, v.description('Id of the file.')) }
const orderIds = {
  order_id: {
    noun: 'order',
    require: (context: Context, order: unknown) => context.ports.proof.factsFor(context, Number(order)),
  },
}
const fileIds = { ...orderIds, file_id: 'part' } as const
const image = v.pipe(url, v.description('URL of the image.'))
const fileKind = v.picklist(['photo', 'signature'])
const content = v.pipe(
  v.string(),
  v.minLength(1),
  v.description('The image itself: JPEG, PNG, WebP or PDF.'),
  v.metadata({ contentEncoding: 'base64' }),
)
/** The body of an upload: the bytes of the image. */
const upload = { document: 'content', types: fileTypes, isBinary: true, bodyLimit: largestUpload } as const
const writing = ['order_not_found', 'contention'] as const
const uploading = ['order_forgotten', 'proof_file_type', 'files_unavailable'] as const

const fileRecord = named(
  'ProofFile',
  v.strictObject({
    file_id: v.number(),
    kind: fileKind,
    url: v.pipe(
      v.string(),
      v.description('URL of the current image; of an uploaded one, a link that expires after an hour.'),
    ),
    version: v.pipe(v.number(), v.description('Number of the current image, from 1.')),
    versions: v.pipe(v.array(v.string()), v.description('URLs of all its images, including archived ones.')),
    ...proofContextEntries,
  }),
)

const fileAnswer = named(
  'ProofFileAnswer',
  v.strictObject({ result: v.literal(true), order_id: v.number(), file: fileRecord }),
)

/** Lists the proof files of an order with their archived images. */
export const listProofFiles = operation({
  name: 'list_proof_files',
  summary: 'Photographs and signatures of an order with their archived images. Empty after an erasure.',
  ...byStaff,
  scopes: ['orders:read'],
  risk: 'low',
  rest: { method: 'GET', path },
  ids: orderIds,
  input: v.strictObject(orderEntries),
  output: v.strictObject({ result: v.literal(true), order_id: v.number(), files: v.array(fileRecord) }),
  errors: ['order_not_found'],
  handle: async (context, { order_id }) => {
    const { facts } = await context.ports.proof.factsFor(context, order_id)
    return {
      result: true,
      order_id,
      files: (fold(proofsOf(context.profiles), facts)?.files ?? []).map(recorderOf(context)),
    }
  },
})

/** Adds a proof file. */
export const addProofFile = operation({
  name: 'add_proof_file',
  summary: "Add a photograph or signature to an order's latest completed or attempted delivery or pick-up.",
  ...byStaff,
  scopes: ['orders:write'],
  rest: { method: 'POST', path },
  ids: orderIds,
  input: v.strictObject({ ...orderEntries, kind: fileKind, url: image }),
  output: fileAnswer,
  errors: [...writing, 'order_forgotten', 'too_many_proof_files'],
  handle: (context, { order_id, ...input }) => {
    const file_id = deriveNumber('proof file', context.randomId())
    return answerOf(context, order_id, { type: 'AddFile', ...commandStamp(context), file_id, ...input })
  },
})

/** Adds a proof file whose image is uploaded. */
export const uploadProofFile = operation({
  name: 'upload_proof_file',
  summary:
    "Upload a photograph or signature for an order's latest completed or attempted delivery or pick-up. A driver may do so for their orders.",
  ...byStaff,
  roles: [...byStaff.roles, 'driver'],
  scopes: ['orders:write'],
  rest: { method: 'POST', path: `${path}/upload`, ...upload },
  ids: orderIds,
  input: v.strictObject({ ...orderEntries, kind: fileKind, content }),
  output: fileAnswer,
  errors: [...writing, ...uploading, 'too_many_proof_files'],
  handle: async (context, { order_id, kind, content }) => {
    const file_id = deriveNumber('proof file', context.randomId())
    const url = await keepUpload(context, order_id, content)
    return answerOf(context, order_id, { type: 'AddFile', ...commandStamp(context), file_id, kind, url })
  },
})

/** Replaces the image of a file. */
export const replaceProofFile = operation({
  name: 'replace_proof_file',
  summary: 'Replace the image of a proof file. The current image is archived.',
  ...byStaff,
  scopes: ['orders:write'],
  rest: { method: 'PUT', path: onePath },
  ids: fileIds,
  input: v.strictObject({ ...fileEntries, url: image }),
  output: fileAnswer,
  errors: [...writing, 'proof_file_not_found', 'too_many_proof_files'],
  handle: (context, { order_id, ...input }) =>
    answerOf(context, order_id, { type: 'ReplaceFile', ...commandStamp(context), ...input }),
})

/** Replaces the image of a file with an uploaded one. */
const uploadProofVersion = operation({
  name: 'upload_proof_version',
  summary: 'Replace the image of a proof file with an uploaded one. The current image is archived.',
  ...byStaff,
  scopes: ['orders:write'],
  rest: { method: 'PUT', path: `${onePath}/upload`, ...upload },
  ids: fileIds,
  input: v.strictObject({ ...fileEntries, content }),
  output: fileAnswer,
  errors: [...writing, ...uploading, 'proof_file_not_found', 'too_many_proof_files'],
  handle: async (context, { order_id, file_id, content }) => {
    const url = await keepUpload(context, order_id, content)
    return answerOf(context, order_id, { type: 'ReplaceFile', ...commandStamp(context), file_id, url })
  },
})

/** Restores an archived image of a file. */
export const restoreProofVersion = operation({
  name: 'restore_proof_version',
  summary: 'Restore an archived image of a proof file. The current image is archived.',
  ...byStaff,
  scopes: ['orders:write'],
  rest: { method: 'POST', path: `${onePath}/restore` },
  ids: fileIds,
  input: v.strictObject({
    ...fileEntries,
    version: v.pipe(number, v.description('Number of the image, from 1.')),
  }),
  output: fileAnswer,
  errors: [...writing, 'proof_file_not_found', 'proof_version_not_found'],
  handle: (context, { order_id, ...input }) =>
    answerOf(context, order_id, { type: 'RestoreFile', ...commandStamp(context), ...input }),
})

/** Removes a file. */
export const removeProofFile = operation({
  name: 'remove_proof_file',
  summary: 'Remove a proof file of an order and all its images.',
  ...byStaff,
  scopes: ['orders:write'],
  risk: 'high',
  rest: { method: 'DELETE', path: onePath },
  ids: fileIds,
  input: v.strictObject(fileEntries),
  output: v.strictObject({ result: v.literal(true), order_id: v.number(), file_id: v.number() }),
  errors: [...writing, 'proof_file_not_found'],
  handle: async (context, { order_id, file_id }) => {
    await runCommand(context, order_id, { type: 'RemoveFile', ...commandStamp(context), file_id })
    return { result: true, order_id, file_id }
  },
})

/** The operations on proof files. */
export const proofOperations: readonly Operation[] = [
  listProofFiles,
  addProofFile,
  uploadProofFile,
  replaceProofFile,
  uploadProofVersion,
  restoreProofVersion,
  removeProofFile,
]

function commandStamp({ caller, clock }: Context) {
  return { at: isoOf(clock()), by: caller.account?.id ?? null }
}

async function answerOf(context: Context, order_id: number, command: ProofCommand) {
  const state = await runCommand(context, order_id, command)
  const files = (state?.files ?? []).filter(({ id }) => id === command.file_id).map(recorderOf(context))
  return { result: true, order_id, file: files[0] }
}

/** Runs a command on the files of an order that the caller may see, and returns their new state. */
async function runCommand(context: Context, orderId: number, command: ProofCommand): Promise<ProofState> {
  const { factsFor, record } = context.ports.proof
  const proofs = proofsOf(context.profiles)
  return retryOnConflict(async () => {
    const { revision, facts } = await factsFor(context, orderId)
    const before = fold(proofs, facts)
    const decided = proofs.decide(command, before)
    if (decided.length > 0) await record(context, orderId, decided, revision)
    return fold(proofs, decided, before)
  })
}

/** How the files are shown to the caller. Links to uploaded images are made when they are read. */
function recorderOf(context: Context): (file: ProofFile) => v.InferOutput<typeof fileRecord> {
  const expiresAt = context.clock() + linkTimes.read
  const shown = (url: string) => {
    const name = uploadIn(url)
    return name === undefined ? url : linkTo(context, name, expiresAt).signed_url
  }
  return (file) => {
    const { id: file_id, kind, versions, current: version, context: event } = file
    return { file_id, kind, url: shown(imageOf(file)), version, versions: versions.map(shown), ...event }
  }
}
