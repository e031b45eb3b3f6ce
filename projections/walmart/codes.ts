import type { CodeMapping } from '../../engine/index.ts'
import { type Stage, stageMappings } from '../shared/fold.ts'

/** The `orderLineStatus.status` values that a parcel can cause. It cannot cause `Created` and `Refund`. */
export const lineStatuses = ['Acknowledged', 'Shipped', 'Delivered', 'Cancelled'] as const

/** The line status of a stage. */
export interface Row {
  readonly fidelity: '=' | '~'
  readonly status: (typeof lineStatuses)[number]
}

/** The line status of each stage (Orders v3, `orderLineStatuses`). */
export const rows: Readonly<Record<Stage, Row>> = {
  announced: { fidelity: '~', status: 'Acknowledged' },
  awaiting_carrier: { fidelity: '~', status: 'Acknowledged' },
  shipped: { fidelity: '~', status: 'Shipped' },
  delivered: { fidelity: '=', status: 'Delivered' },
  cancelled: { fidelity: '=', status: 'Cancelled' },
}

/** The published mappings. */
export const codes = stageMappings(rows, ({ fidelity, status }): CodeMapping => ({ fidelity, value: status }))

/** `trackingInfo.carrierName.carrier`: the carriers that Orders v3 lists. All others go to `otherCarrier`. */
export const carriers = [
  'UPS',
  'USPS',
  'FedEx',
  'Airborne',
  'OnTrac',
  'DHL Ecommerce - US',
  'DHL',
  'LS',
  'UDS',
  'UPSMI',
  'FDX',
  'PILOT',
  'ESTES',
  'SAIA',
  'FDS Express',
  'Seko Worldwide',
  'HIT Delivery',
  'FEDEXSP',
  'RL Carriers',
  'Metropolitan Warehouse & Delivery',
  'China Post',
  'YunExpress',
  'Yellow Freight Sys',
  'AIT Worldwide Logistics',
  'Chukou1',
  'Sendle',
  'Landmark Global',
  'Sunyou',
  'Yanwen',
  '4PX',
  'GLS',
  'OSM Worldwide',
  'FIRST MILE',
  'AM Trucking',
  'CEVA',
  'India Post',
  'SF Express',
  'CNE',
  'TForce Freight',
  'AxleHire',
  'LSO',
  'Royal Mail',
  'ABF Freight System',
  'WanB',
  'Roadrunner Freight',
  'Meyer Distribution',
  'AAA Cooper',
  'Canada Post',
  'Southeastern Freight Lines',
  'Japan Post',
  'Correos de Mexico',
  'XPO Logistics',
  'JD Logistics',
  'YDH',
  'JCEX',
  'Flyt',
  'Deutsche Post',
  'Better Trucks',
  'Asendia',
  'SFC',
  'UBI',
  'ePost Global',
  'YF Logistics',
  'RXO',
  'Estes Express',
  'Shypmax',
  'WIN.IT America',
  'PITT OHIO',
  'PostNord Sweden',
  'Equick',
  'Whistl',
  'Tusou',
  'Shiprocket',
  'DTDC',
  'PTS',
] as const
