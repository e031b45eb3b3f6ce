import { atOnce } from '../../../engine/index.ts'
import { type Envelope, eventPath, jsonMode, takeApart } from './document.ts'
import { type Checked, checked, type Reader } from './event.ts'
import { type Findings, good, type Verdict, verdictOn } from './findings.ts'
import { type Converted, readEpcisXml } from './xml-read.ts'

/** A document with its parts, and the findings of the XML Schema by the path of the event. */
export interface Opened {
  readonly envelope: Envelope
  readonly found: ReadonlyMap<string, Findings>
  /** What is in the text of an XML document. */
  readonly written?: Pick<Converted, 'sources' | 'header'>
}

/** Takes a document apart: a JSON value, or the text of an XML document. Throws `malformed_xml`. */
export function opened(document: unknown, strict: boolean): Opened {
  return atOnce(openedInSteps(document, strict))
}

/** The same in steps: 64 Ki characters of XML. */
export function* openedInSteps(document: unknown, strict: boolean): Generator<void, Opened> {
  if (typeof document !== 'string') {
    return { envelope: takeApart(document, strict ? { ...jsonMode, strict } : jsonMode), found: new Map() }
  }
  const { value, names, findings, ...written } = yield* readEpcisXml(document)
  return { envelope: takeApart(value, { strict, xml: true }, names), found: findings, written }
}

/** The verdict on what is around the events. */
export function aroundEvents({ findings, remarks, mode }: Envelope, found: Opened['found']): Verdict {
  const { refusing, remarks: others } = verdictOn(found.get('') ?? good, mode.strict)
  return { refusing: [...refusing, ...findings], remarks: [...others, ...remarks] }
}

/** Checks an event of an opened document. */
export function checkedIn(reader: Reader, event: unknown, index: number, found: Opened['found']): Checked {
  return checked(event, index, reader, found.size === 0 ? good : found.get(eventPath(reader.envelope, index)))
}
