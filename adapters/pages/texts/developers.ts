import { inEnglish } from '../../locales/texts.ts'

/** The texts of the pages for developers, which are in English only. */
export const developerTexts = inEnglish({
  home: {
    title: 'Track anything that moves',
    lead: 'This server keeps tracking timelines: push events as they happen, and read where things are.',
    start: 'Push your first event',
    steps: {
      key: 'Make a key for a provider',
      keyHint: 'Run this command on the server, where otep is installed. The key is shown only once.',
      push: 'Push one event',
      pushHint:
        'The time is when the event occurred, with its UTC offset. Sending the same event again changes nothing.',
      read: 'Read it back',
      readHint: 'As a document, or as a page that people can read:',
    },
    copy: 'Copy',
    copied: 'Copied',
    reference: 'Reference',
    links: {
      '/docs': 'Documentation: how to, the REST interface with examples, webhook events',
      '/try': 'Try a document: what is wrong with it, its timeline, and every format',
      '/webhook-events': 'Webhook events: what causes each, an example, and code that verifies it',
      '/openapi.json': 'OpenAPI description',
      '/api/otep-guide/codebook.json': 'Codebook: every status code and phase',
      '/api/otep-guide/schema.json': 'JSON Schema of a timeline',
      '/ns/otep': 'Members of OTEP in EPCIS documents',
    },
  },
  docs: {
    title: 'Documentation',
    sections: 'Documentation',
    search: 'Search the documentation',
    searchButton: 'Search',
    results: 'Search',
    found: 'Parts with all of these words: {count}.',
    best: 'Parts with all of these words: {count}. These are the best {shown}.',
    nothing: 'No part has all of these words.',
    onThisPage: 'On this page',
    anchor: 'Link to this part',
    table: 'Table',
    missing: 'There is no such page',
    missingLead: 'It may have moved. Search for it, or choose a page from the list.',
    notInstalled: 'This installation does not contain the files of the documentation.',
  },
  namespace: {
    title: 'Members of OTEP in EPCIS documents',
    lead: 'EPCIS has no members for these. This server reads them under both namespaces. It writes the first one, and the second one for events that it recorded before:',
    mark: 'In the first namespace, every text of an event begins with a mark, so that no program takes it for a number or a word of CBV and computes another event hash id:',
    types: {
      string: 'Text',
      number: 'Number',
      boolean: 'True or false',
      object: 'Has members',
      'date-time': 'Time (RFC 3339)',
      uri: 'URI',
    },
    list: 'List:',
    part: 'In',
  },
})
