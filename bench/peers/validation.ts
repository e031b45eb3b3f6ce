import { readFileSync } from 'node:fs'
import { missingFiles, standardsFile } from '../../conformance/judges/judge.ts'
import type { Settings } from '../harness.ts'

type Validate = (document: object) => boolean

/** As much of ajv and of ajv-formats as is measured. */
interface AjvModule {
  readonly Ajv: new (options: { readonly strict: boolean }) => { compile(schema: object): Validate }
}
type AddFormats = (ajv: InstanceType<AjvModule['Ajv']>) => void

/** As much of epcis2.js as is measured. */
interface Epcis2 {
  readonly EPCISDocument: new (document: object) => { isValid(): boolean }
}

const schemaFile = 'epcis/schema/EPCIS-JSON-Schema.json'

/** ajv with GS1's JSON Schema, compiled once, formats on; nothing where either does not lie at hand. */
export function ajvPeer(peer: Settings['peer']): Validate | undefined {
  const [ajvModule, addFormats] = [peer<AjvModule>('ajv'), peer<AddFormats>('ajv-formats')]
  if (ajvModule === undefined || addFormats === undefined || missingFiles(schemaFile) !== undefined) return undefined
  const ajv = new ajvModule.Ajv({ strict: false })
  addFormats(ajv)
  return ajv.compile(JSON.parse(readFileSync(standardsFile(schemaFile), 'utf8')) as object)
}

/** What epcis2.js says of a ready document; nothing where it is not installed. */
export function epcis2Peer(peer: Settings['peer']): Validate | undefined {
  const epcis2 = peer<Epcis2>('epcis2.js')
  return epcis2 && ((document) => new epcis2.EPCISDocument(document).isValid())
}
