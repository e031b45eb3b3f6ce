import type { Faults } from './rules.ts'

/** Why a text is not well-formed XML. The parser is loaded only for formats that write XML. */
export async function wellFormedness(text: string): Promise<Faults> {
  const { XmlDocument } = await import('libxml2-wasm')
  try {
    const document = XmlDocument.fromString(text)
    document.dispose()
    return []
  } catch (error) {
    return [`no XML: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`]
  }
}
