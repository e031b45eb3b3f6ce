import { protocolMessages } from '../../engine/domains/tracking/messages/protocol.ts'
import { trackingRequestMessages } from '../../engine/domains/tracking/messages/request.ts'
import type { Language } from '../../engine/kernel/catalogue.ts'
import { type Code, messageOf as filled, type Messages } from '../../engine/kernel/messages/index.ts'
import { valueMessages } from '../../engine/kernel/messages/values.ts'
import type { Finding } from './finding.ts'

export type { Language } from '../../engine/kernel/catalogue.ts'
export type { Finding } from './finding.ts'

const catalogues = [valueMessages, protocolMessages, trackingRequestMessages]

/** What a finding says, as a sentence in English or another of the six languages. */
export function messageOf({ code, params }: Finding, language: Language = 'en'): string {
  const messages: Messages = Object.assign({}, ...catalogues.map((catalogue) => catalogue[language]))
  return filled(code as Code, params, messages)
}
