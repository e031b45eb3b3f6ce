import { readFileSync } from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { type Judge, missingFiles, standardsFile } from '../judge.ts'

const files = {
  '2': {
    EPCISDocument: 'epcis/xsd/EPCglobal-epcis-2_0.xsd',
    EPCISQueryDocument: 'epcis/xsd/EPCglobal-epcis-query-2_0.xsd',
  },
  '1': {
    EPCISDocument: 'epcis/xsd-1.2/EPCglobal-epcis-1_2.xsd',
    EPCISQueryDocument: 'epcis/xsd-1.2/EPCglobal-epcis-query-1_2.xsd',
  },
} as const

const validators = new Map<string, XsdValidator>()

/** The XML Schemas of EPCIS 2.0: that of documents, and that of queries for the answer to a query. */
export const xsdJudge: Judge = {
  name: 'XSD 2.0 (GS1)',
  format: 'epcis',
  missing: () => missingFiles(...Object.values(files['2'])),
  takes: ({ mediaType }) => mediaType === 'application/xml',
  judge: ({ text }) => faultsByXsd(text, '2'),
}

/** What the XML Schemas of a version of EPCIS refuse in a document. */
export function faultsByXsd(text: string, version: keyof typeof files): readonly string[] {
  try {
    const document = XmlDocument.fromString(text)
    try {
      const { name } = document.root
      if (name !== 'EPCISDocument' && name !== 'EPCISQueryDocument') return [`The root is ${name}.`]
      validatorOf(files[version][name]).validate(document)
      return []
    } finally {
      document.dispose()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function validatorOf(file: string): XsdValidator {
  const known = validators.get(file)
  if (known !== undefined) return known
  xmlRegisterFsInputProviders()
  const path = standardsFile(file)
  const schema = XmlDocument.fromBuffer(readFileSync(path), { url: path })
  const validator = XsdValidator.fromDoc(schema)
  validators.set(file, validator)
  return validator
}
