import { protocolMessages } from '../../engine/domains/tracking/messages/protocol.ts'
import { trackingRequestMessages } from '../../engine/domains/tracking/messages/request.ts'
import { type Code, englishOf, messageOf as filled } from '../../engine/kernel/messages/index.ts'
import { valueMessages } from '../../engine/kernel/messages/values.ts'
import type { Finding } from './finding.ts'

export type { Finding } from './finding.ts'

/** The file of a language, such as `otep-engine/locales/de.json`: what each code says in it. */
export interface Locale {
  readonly code?: Readonly<Record<string, string>>
}

const english = englishOf([valueMessages, protocolMessages, trackingRequestMessages])

/** What a finding says, as a sentence in the language of a file, or in English. */
export function messageOf({ code, params }: Finding, locale: Locale = {}): string {
  return filled(code as Code, params, { ...english, ...locale.code })
}
