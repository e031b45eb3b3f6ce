import { inEach } from '../../locales/catalogue.ts'
import { textsOf } from '../../locales/texts.ts'
import { siteTexts } from './site.ts'

const own = textsOf('page.try', {
  title: 'Try a document',
  lead: 'Paste a tracking document to see what is wrong with it, the timeline it makes, and that timeline in every format. Nothing is stored.',
  form: {
    again: 'Try again',
    document: 'Document',
    limit: 'JSON, NDJSON or XML, at most {size} KiB',
    drop: 'A file can be dropped on the field.',
    file: 'Or choose a file',
    format: 'Format',
    button: 'Check',
    examples: 'Examples',
    faulty: 'With errors',
  },
  findings: {
    title: 'Findings',
    none: 'There is nothing wrong with the document.',
    error: 'Error',
    warning: 'Warning',
    line: 'Line {line}',
    more: 'Findings that are not shown: {count}',
    level: 'The document conforms to OTEP at level {level}.',
    standard: 'The document conforms to its standard.',
    wrong: 'The document does not conform.',
    taken: 'Events that the engine takes: {taken}. Events that it refuses: {refused}.',
  },
  document: {
    title: 'Your document',
    relaid: 'Its lines are very long, so it is laid out again here.',
    gap: 'Lines {from} to {to} are not shown.',
  },
  timeline: {
    title: 'What the engine makes of it',
    none: 'There is no timeline, because no event could be taken from the document.',
    more: 'Timelines that are not shown: {count}',
    earlier: 'Earlier events that are not shown: {count}',
  },
  formats: {
    title: 'The timeline in every format',
    lost: 'What is lost in this format',
    whole: 'Nothing is lost in this format.',
    tooLong: 'This document would be too long for the page.',
    download: 'Download',
  },
  refused: 'The document was not read',
})

/** The texts of the page on which documents are tried. */
export const tryTexts = inEach((language) => ({ ...own(language), copying: siteTexts(language).copying }))

/** The texts of the page on which documents are tried, in one language. */
export type TryTexts = ReturnType<typeof tryTexts>
