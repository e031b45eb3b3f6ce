import { jsonSchema } from '../../conformance/judges/epcis/files.ts'
import type { Settings } from '../harness.ts'

type Validate = (document: object) => boolean

/** The measured parts of ajv and of ajv-formats. */
interface AjvModule {
  readonly Ajv: new (options: {
    readonly strict: boolean
    readonly validateFormats: boolean
  }) => { compile(schema: object): Validate }
}
type AddFormats = (ajv: InstanceType<AjvModule['Ajv']>) => void

/** The measured parts of epcis2.js. */
interface Epcis2 {
  readonly EPCISDocument: new (document: object) => { isValid(): boolean }
}

/** ajv with GS1's JSON Schema, compiled once, with or without the formats of texts; undefined if either is not available. */
export function ajvPeer(peer: Settings['peer'], validateFormats: boolean): Validate | undefined {
  const [ajvModule, addFormats] = [peer<AjvModule>('ajv'), peer<AddFormats>('ajv-formats')]
  const { here: schema } = jsonSchema()
  if (ajvModule === undefined || addFormats === undefined || schema === undefined) return undefined
  const ajv = new ajvModule.Ajv({ strict: false, validateFormats })
  addFormats(ajv)
  return ajv.compile(schema)
}

/** The result of epcis2.js for a ready document; undefined if it is not installed. */
export function epcis2Peer(peer: Settings['peer']): Validate | undefined {
  const epcis2 = peer<Epcis2>('epcis2.js')
  return epcis2 && ((document) => new epcis2.EPCISDocument(document).isValid())
}
