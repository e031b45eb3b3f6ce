import { call, messageOf } from '../../../engine/index.ts'
import { attachment } from '../signed-in/attachment.ts'
import { actionTitle } from '../signed-in/operation-words.ts'
import { refusalIn } from '../signed-in/refusals.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
import { message } from '../signed-in/visit.ts'
import { withRecord } from './record.ts'
import type { Visited } from './setting.ts'

const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/zpl': 'zpl',
  'image/png': 'png',
}

/** Sends the file of a thing, such as the document of a label, as an operation answers it. */
export function sendFile(visit: Visited, visitor: Visitor): Promise<Response> {
  return withRecord(visit, visitor, async ({ kind, id }) => {
    const { setting, answering, request } = visit
    const operation = kind.files.find(({ name }) => name === request.req.param('operation'))
    const { file: member } = operation ?? {}
    if (operation === undefined || member === undefined || !mayNow(visitor, operation))
      return message(visit, 404, setting.records.missing, visitor)
    try {
      const { media_type, [member]: content } = await call(operation, visitor.context, { [kind.param]: id })
      const type = String(media_type)
      const name = `${kind.name}-${id}.${endings[type] ?? 'bin'}`
      return attachment(answering, { type, base64: String(content), name })
    } catch (error) {
      const { code, params } = refusalIn(error)
      const lead = messageOf(code, params, visitor.context.messages)
      return message(visit, 409, { title: actionTitle(operation, setting.texts.lang), lead }, visitor)
    }
  })
}
