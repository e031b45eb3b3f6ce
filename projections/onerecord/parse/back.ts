import type { Profile } from '../../../engine/index.ts'
import { meaningOf } from '../../shared/codes.ts'
import { iataCodeOf } from '../codes.ts'

/** How a code is read: exactly, as the nearest code, or as an unregistered code that says the same. */
interface Back {
  readonly code: string
  readonly how: 'exact' | 'near' | 'own'
  readonly reason?: string
}

const near = (code: string): Back => ({ code, how: 'near' })
const own = (code: string): Back => ({ code: `x-${code}`, how: 'own' })
const discrepancy = (reason: string): Back => ({ code: 'x-exception', how: 'near', reason })

/** The codes of IATA's list StatusCode that documents of this server do not have. */
const others: Readonly<Record<string, Back>> = {
  ARR: near('arrival_scan'),
  DEP: near('package_outbound'),
  DDL: near('delivered'),
  RCS: near('received'),
  RCT: near('received'),
  FOH: near('received'),
  TFD: near('package_outbound'),
  NFD: near('x-available_for_pickup'),
  AWD: own('documents_delivered'),
  AWR: own('documents_arrived'),
  DOC: own('documents_received'),
  MAN: own('manifested'),
  PRE: own('prepared_for_loading'),
  TRM: own('transfer_manifested'),
  OCI: own('customs_information'),
  OSI: own('service_information'),
  DIS_DFLD: discrepancy('definitely_loaded'),
  DIS_FDAV: discrepancy('found_mail_document'),
  DIS_FDAW: discrepancy('found_air_waybill'),
  DIS_FDCA: discrepancy('found_cargo'),
  DIS_FDMB: discrepancy('found_mailbag'),
  DIS_MSAV: discrepancy('missing_mail_document'),
  DIS_MSAW: discrepancy('missing_air_waybill'),
  DIS_MSMB: discrepancy('missing_mailbag'),
  DIS_OFLD: discrepancy('offloaded'),
  DIS_OVCD: discrepancy('overcarried'),
  DIS_SSPD: discrepancy('shortshipped'),
}

const iata = 'https://onerecord.iata.org/ns/code-lists/StatusCode#'

/** The code of this project that an IRI names, with its profile; undefined for other IRIs. */
export function ownCodeIn(iri: string): { readonly profile: string; readonly code: string } | undefined {
  const [, profile, code] = /\/api\/otep-guide\/codebook\.json#otep:([^:#]+):([^:#]+)$/.exec(iri) ?? []
  if (profile === undefined || code === undefined) return undefined
  try {
    return { profile: decodeURIComponent(profile), code: decodeURIComponent(code) }
  } catch {
    return undefined
  }
}

/**
 * The code of an event with this code and name in ONE Record, in a profile. A code of another list is an unregistered code of its
 * name. Of several codes that are written alike, the name of the event may have the meaning of one.
 */
export function backOf(iri: string, profile: Profile, eventName = ''): Back {
  const ours = ownCodeIn(iri)
  if (ours !== undefined) return { code: ours.code, how: 'exact' }
  const name = iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1)
  if (iri.startsWith(iata)) {
    const unregistered = ['x-customs_started', 'x-customs_cleared', 'x-customs_held', 'x-lost']
    const codes = [...Object.keys(profile.codes), ...unregistered].filter((one) => iataCodeOf(profile, one) === name)
    const meant =
      codes.length === 1 ? codes[0] : codes.find((one) => eventName.startsWith(meaningOf(profile, one) ?? one))
    if (meant !== undefined) return { code: meant, how: 'exact' }
    if (codes[0] !== undefined) return near(codes[0])
    const other = Object.hasOwn(others, name) ? others[name] : undefined
    // Other profiles do not have the codes of parcels.
    if (other !== undefined && (other.code.startsWith('x-') || Object.hasOwn(profile.codes, other.code))) return other
  }
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60)
  return word === '' ? own('observed') : own(word)
}
