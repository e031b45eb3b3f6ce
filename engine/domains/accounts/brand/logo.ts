import type { Logo } from '../../../kernel/brand.ts'
import type { Context, Facts } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { type FileName, type FileType, fileNameOf, fileTypeOf, parsedFileName } from '../../../kernel/files.ts'
import { deriveId } from '../../../kernel/id.ts'
import { businessStream } from '../business.ts'
import { brandOf } from '../read.ts'
import { imageSizeOf } from './image.ts'

/** Types of logos. SVG is none: it can hold scripts, and what makes it safe would be a separate program. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const satisfies readonly FileType[]

/** Largest logo: bytes, because every recipient loads them, and pixels of each side, because a small file can be a huge image. */
export const largestLogo = { bytes: 32 * 1024, side: 1_024 } as const

/** Keeps the logo of a business, given in base64. */
export async function keepLogo({ files, randomId }: Context, business: number, content: string): Promise<Logo> {
  const type = logoTypes.find((one) => one === fileTypeOf(content))
  const size = type && imageSizeOf(type, bytesOf(content))
  if (type === undefined || size === undefined) throw new EngineError('logo_type')
  const { width, height } = size
  if (Math.max(width, height) > largestLogo.side)
    throw new EngineError('logo_too_large', { limit: largestLogo.side, width, height })
  const file = fileNameOf(businessStream(business), deriveId('logo', randomId()).replaceAll('-', ''), type)
  if (!(await files.keep(file, content))) throw new EngineError('business_not_found')
  return { file, width, height }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** A logo as it is served. */
export interface ServedLogo {
  readonly type: FileType
  readonly bytes: Uint8Array
}

/** The image of a logo; undefined if it was removed meanwhile. */
export async function readLogo({ files }: Pick<Context, 'files'>, { file }: Logo): Promise<ServedLogo | undefined> {
  const bytes = await files.read(file)
  const type = parsedFileName(file)?.type
  return bytes && type && { type, bytes }
}

/** Removes the files of logos that no brand has, if they were kept before an instant (epoch milliseconds). Returns how many. */
export async function sweepLogos(context: Facts & Pick<Context, 'files'>, before: number): Promise<number> {
  const old: FileName[] = []
  for await (const { name, since } of context.files.list()) if (isLogo(name) && since < before) old.push(name)
  let removed = 0
  for (const name of old) {
    const business = Number(parsedFileName(name)?.stream.slice(prefix.length))
    if ((await brandOf(context, business))?.logo?.file === name) continue
    // What the keys of this store do not open belongs to another store.
    if ((await context.files.read(name)) === undefined) continue
    await context.files.remove(name)
    removed++
  }
  return removed
}

const prefix = 'business-'

function isLogo(name: FileName): boolean {
  return name.startsWith(prefix)
}
