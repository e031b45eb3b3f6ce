import { XmlDocument } from 'libxml2-wasm'
import type { Faults } from './rules.ts'

/** The errors of a text as XML, whatever its vocabulary. */
export function wellFormedness(text: string): Faults {
  try {
    const document = XmlDocument.fromString(text)
    document.dispose()
    return []
  } catch (error) {
    return [`no XML: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`]
  }
}
