import {
  converted,
  isObject,
  type Members,
  type Position,
  type ReadingInput,
  type SensorType,
  sensorKind,
  typeOfGs1,
} from '../../../engine/index.ts'

/** The members of a report that are readings. */
const values = ['value', 'minValue', 'maxValue'] as const

/** The most readings that one event is read as. */
const maxReadings = 1000

/**
 * What the sensors of an event measured, in native terms. The lowest and the highest value of a period are readings at its end; a mean
 * is one only where these are missing. A device that reports an error has measured nothing.
 */
export function nativeSensors(event: Members): { readonly sensors?: readonly ReadingInput[] } {
  const elements = objectsIn(event.sensorElementList)
  const sensors = elements.flatMap((element) => readingsOfElement(element, event.eventTime)).slice(0, maxReadings)
  return sensors.length === 0 ? {} : { sensors }
}

/** Whether all reports of an event were read. */
export function readsAllSensors(event: Members): boolean {
  return objectsIn(event.sensorElementList).every((element) => {
    const { sensorMetadata, sensorReport } = element
    const reports = objectsIn(sensorReport)
    const metadata = isObject(sensorMetadata) ? sensorMetadata : {}
    const isPlaced = positionIn(reports) !== undefined
    return reports.every((report) =>
      isPart(report) ? isPlaced : readingsOfReport(report, metadata, undefined).length > 0,
    )
  })
}

function readingsOfElement({ sensorMetadata, sensorReport }: Members, eventTime: unknown): readonly ReadingInput[] {
  const metadata = isObject(sensorMetadata) ? sensorMetadata : {}
  const reports = objectsIn(sensorReport)
  const where = positionIn(reports)
  const place: readonly ReadingInput[] =
    where === undefined
      ? []
      : [{ type: 'location', value: where, ...around(reports.find(isPart) ?? {}, metadata, eventTime) }]
  const others = reports.filter((one) => !isPart(one))
  return [...place, ...others.flatMap((report) => readingsOfReport(report, metadata, eventTime))]
}

/** The position that two reports say together. */
function positionIn(reports: readonly Members[]): Position | undefined {
  const partOf = (part: string) => reports.find((one) => componentOf(one) === part)?.value
  const [latitude, longitude] = [partOf('latitude'), partOf('longitude')]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

function readingsOfReport(report: Members, metadata: Members, eventTime: unknown): readonly ReadingInput[] {
  const type = typeof report.type === 'string' ? typeOfGs1(report.type) : undefined
  if (type === undefined || isError(report)) return []
  const key = { type, ...around(report, metadata, eventTime) }
  if (sensorKind(type).value === 'boolean')
    return typeof report.booleanValue === 'boolean' ? [{ ...key, value: report.booleanValue }] : []
  const unit = typeof report.uom === 'string' ? report.uom : undefined
  const named = values.flatMap((name) => readingsOfValue(report[name], unit, key))
  return named.length > 0 ? named : readingsOfValue(report.meanValue, unit, key)
}

function readingsOfValue(
  value: unknown,
  unit: string | undefined,
  key: { readonly type: SensorType },
): readonly ReadingInput[] {
  if (typeof value !== 'number' || converted(key.type, value, unit) === undefined) return []
  return [{ ...key, value, ...(unit !== undefined && { unit }) }]
}

/** When and by which device something was measured: what a report does not say, its metadata do. */
function around(report: Members, metadata: Members, eventTime: unknown) {
  const time = report.time ?? metadata.time ?? metadata.endTime ?? eventTime
  const device = report.deviceID ?? metadata.deviceID
  const component = componentOf(report)
  return {
    ...(typeof time === 'string' && { time }),
    ...(typeof device === 'string' && device.length <= longest.device && { device }),
    ...(component !== undefined && component.length <= longest.component && !isPart(report) && { component }),
  }
}

const longest = { device: 300, component: 100 }

/** Whether a report is a part of a position. */
function isPart(report: Members): boolean {
  return ['latitude', 'longitude'].includes(componentOf(report) ?? '')
}

function componentOf({ component }: Members): string | undefined {
  return typeof component === 'string' ? component.replace(/^.*[:/](?:Comp-)?/, '') : undefined
}

function isError({ exception }: Members): boolean {
  return typeof exception === 'string' && exception.endsWith('ERROR_CONDITION')
}

function objectsIn(list: unknown): readonly Members[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
