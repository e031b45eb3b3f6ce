import type { Context, Facts } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { type FileName, type FileType, fileNameOf, fileTypeOf, parsedFileName } from '../../kernel/files.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { proofsOf } from './files.ts'

/** How events name an uploaded image in place of its URL. It leaves the engine only as a link. */
const scheme = 'otep-file:'

const hour = 3_600_000

/** How long links to uploaded images open them, in milliseconds: those of reads, and those of webhooks since the event. */
export const linkTimes = { read: hour, webhook: 7 * 24 * hour } as const

/** Largest image in bytes. */
export const largestUpload = 8 * 1024 * 1024

/** Keeps an uploaded image of an order, given in base64, and returns how events name it. */
export async function keepUpload({ files, randomId }: Context, order: number, content: string): Promise<string> {
  const type = fileTypeOf(content)
  if (type === undefined) throw new EngineError('proof_file_type')
  const name = fileNameOf(streamOf(order), deriveId('proof file', randomId()).replaceAll('-', ''), type)
  if (!(await files.keep(name, content))) throw new EngineError('order_forgotten', { order })
  return scheme + name
}

/** The name of an uploaded image; undefined for an image that is somewhere else. */
export function uploadIn(url: string): FileName | undefined {
  return url.startsWith(scheme) ? parsedFileName(url.slice(scheme.length))?.name : undefined
}

/** Addresses of an image. */
interface ImageLink {
  readonly url: string
  readonly full_url: string
  readonly signed_url: string
  readonly signed_url_expires_at: number
}

/** The addresses of an uploaded image, of which the signed one opens it until an instant (epoch milliseconds). */
export function linkTo(
  { credentials, baseUrl }: Pick<Context, 'credentials' | 'baseUrl'>,
  name: FileName,
  expiresAt: number,
): ImageLink {
  const until = Math.floor(expiresAt / 1_000)
  const stamp = until.toString(36)
  const path = `/files/${name}`
  const link = `${stamp}.${credentials.sign(signedText(name, stamp))}`
  return {
    url: path,
    full_url: baseUrl + path,
    signed_url: `${baseUrl}${path}?link=${link}`,
    signed_url_expires_at: until,
  }
}

/** An uploaded file that a link opens. */
export interface OpenedFile {
  readonly type: FileType
  readonly bytes: Uint8Array
}

/** The file that a link opens. Whatever keeps it shut, it is refused with `file_not_found`. */
export async function openLinkedFile(context: Omit<Context, 'messages'>, path: string): Promise<OpenedFile> {
  const named = parsedFileName(path)
  if (named === undefined || !isOpen(context, named.name)) throw new EngineError('file_not_found')
  const bytes = await context.files.read(named.name)
  if (bytes === undefined) throw new EngineError('file_not_found')
  return { type: named.type, bytes }
}

function isOpen({ credentials, clock, pass }: Omit<Context, 'messages'>, name: FileName): boolean {
  const [, stamp = '', signature = ''] = /^([0-9a-z]{1,9})\.([\w-]{1,100})$/.exec(pass?.link ?? '') ?? []
  const isCurrent = Number.parseInt(stamp, 36) * 1_000 > clock()
  return isCurrent && credentials.isSigned(signedText(name, stamp), signature)
}

function signedText(name: FileName, stamp: string): string {
  return `file link ${stamp} ${name}`
}

const orderPrefix = 'order-'

function streamOf(order: number): StreamName {
  return `${orderPrefix}${order}`
}

/** What removing files needs. */
type Removing = Facts & Pick<Context, 'files' | 'ports' | 'profiles'>

/** The events after which uploaded images are removed. */
export const removingTypes: readonly string[] = ['ProofFileRemoved', 'OrderPersonalDataErased']

/** Removes the uploaded images that an order no longer has after one of `removingTypes`. */
export async function removeUploads(context: Removing, { type, stream, revision }: RecordedEvent): Promise<void> {
  const own = stream as StreamName
  if (type === 'OrderPersonalDataErased') {
    for await (const { name } of context.files.list(own)) await context.files.remove(name)
    return
  }
  const after = await uploadsOf(context, own, revision)
  for (const name of await uploadsOf(context, own, revision - 1)) if (!after.has(name)) await context.files.remove(name)
}

/**
 * Removes uploaded images that no order has, because the upload was refused or its server crashed, if they were kept
 * before an instant (epoch milliseconds). What the keys of this store do not open stays: it belongs to another store.
 * Returns how many it has removed.
 */
export async function sweepUploads(context: Removing, before: number): Promise<number> {
  let [stream, used]: readonly [string, ReadonlySet<FileName>] = ['', new Set()]
  let removed = 0
  for await (const { name, since } of context.files.list()) {
    const named = parsedFileName(name)
    if (named === undefined || since >= before || !named.stream.startsWith(orderPrefix)) continue
    if (named.stream !== stream) [stream, used] = [named.stream, await uploadsOf(context, named.stream)]
    if (used.has(name) || (await context.files.read(name)) === undefined) continue
    await context.files.remove(name)
    removed++
  }
  return removed
}

/** The uploaded images of an order up to a revision (inclusive), archived ones too. */
async function uploadsOf(
  context: Removing,
  stream: StreamName,
  revision = Number.MAX_SAFE_INTEGER - 1,
): Promise<ReadonlySet<FileName>> {
  const facts = await context.ports.proof.factsUpTo(context, orderIn(stream), revision)
  const files = fold(proofsOf(context.profiles), facts)?.files ?? []
  return new Set(files.flatMap(({ versions }) => versions.map(uploadIn)).filter((name) => name !== undefined))
}

function orderIn(stream: StreamName): number {
  return Number(stream.slice(orderPrefix.length))
}
