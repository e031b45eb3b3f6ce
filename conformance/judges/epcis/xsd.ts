import { readFileSync } from 'node:fs'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import type { Judge, Judged } from '../judge.ts'
import { official } from '../official.ts'

/** The XML Schemas of each version of EPCIS: that of documents, and that of queries for the answer to a query. */
export const xsd = {
  '2': official(['epcis/xsd/EPCglobal-epcis-2_0.xsd', 'epcis/xsd/EPCglobal-epcis-query-2_0.xsd'], faultsBy),
  '1': official(['epcis/xsd-1.2/EPCglobal-epcis-1_2.xsd', 'epcis/xsd-1.2/EPCglobal-epcis-query-1_2.xsd'], faultsBy),
}

/** The XML Schemas of EPCIS 2.0. */
export const xsdJudge: Judge<Pick<Judged, 'text'>> = {
  name: 'XSD 2.0 (GS1)',
  format: 'epcis',
  takes: ({ mediaType }) => mediaType === 'application/xml',
  open: xsd['2'],
}

function faultsBy([documents, queries]: readonly [string, string]) {
  const validators = new Map<string, XsdValidator>()
  const validatorOf = (file: string) => {
    const validator = validators.get(file) ?? validatorIn(file)
    validators.set(file, validator)
    return validator
  }
  return ({ text }: Pick<Judged, 'text'>): readonly string[] => {
    try {
      const document = XmlDocument.fromString(text)
      try {
        const { name } = document.root
        if (name !== 'EPCISDocument' && name !== 'EPCISQueryDocument') return [`The root is ${name}.`]
        validatorOf(name === 'EPCISDocument' ? documents : queries).validate(document)
        return []
      } finally {
        document.dispose()
      }
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  }
}

function validatorIn(file: string): XsdValidator {
  xmlRegisterFsInputProviders()
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(file), { url: file }))
}
