import type { Context as Request } from 'hono'
import { openLinkedFile } from '../../engine/index.ts'
import { baseHeaders } from '../http/headers.ts'
import type { OpenRequest } from '../node/gateway.ts'
import { publicHeaders } from './respond.ts'

/** The path of an uploaded file. */
export const filePath = '/files/:stream/:file'

/** Answers with the uploaded file that a link opens. Browsers save it, and run nothing that is in it. */
export async function fileResponse(request: Request, { context }: OpenRequest): Promise<Response> {
  const { stream = '', file = '' } = request.req.param() as Readonly<Record<string, string>>
  const { type, bytes } = await openLinkedFile(context, `${stream}/${file}`)
  const headers = {
    ...baseHeaders,
    ...publicHeaders,
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'Content-Disposition': `attachment; filename="${file}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'no-store',
    'X-Request-Id': context.requestId,
  }
  return new Response(Buffer.from(bytes), { headers })
}
