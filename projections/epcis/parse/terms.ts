/** The terms that GS1's context defines at its top and protects. */
const terms = new Set([
  ...['epcis', 'cbv', 'cbvmda', 'gs1', 'rdfs', 'owl', 'xsd', 'dcterms', 'id', 'type', 'baseURL', 'ObjectEvent'],
  ...['AggregationEvent', 'TransformationEvent', 'AssociationEvent', 'TransactionEvent', 'Collection', 'member'],
  ...['eventTime', 'recordTime', 'eventTimeZoneOffset', 'action', 'certificationInfo', 'bizStep', 'disposition'],
  ...['bizLocation', 'readPoint', 'transformationID', 'epcList', 'sourceList', 'destinationList', 'quantity'],
  ...['persistentDisposition', 'epcClass', 'uom', 'quantityList', 'bizTransactionList', 'parentID', 'childEPCs'],
  ...['childQuantityList', 'inputEPCList', 'outputEPCList', 'inputQuantityList', 'outputQuantityList', 'eventID'],
  ...['sensorElementList', 'errorDeclaration', 'creationDate', 'sender', 'receiver', 'instanceIdentifier', 'ilmd'],
  ...['schemaVersion', 'EPCISDocument', 'EPCISQueryDocument', 'epcisHeader', 'masterData', 'vocabularyList'],
  ...['epcisBody', 'queryResults', 'subscriptionID', 'queryName', 'resultsBody', 'eventList', 'children'],
])

/** URI schemes that no prefix may hide. */
const schemes = new Set(['http', 'https', 'urn', 'ni', 'geo'])

/** The terms that GS1's context defines within sensor elements only. */
const ofSensors = new Set([
  ...['deviceID', 'deviceMetadata', 'rawData', 'dataProcessingMethod', 'time', 'sensorMetadata', 'sensorReport'],
  ...['startTime', 'endTime', 'bizRules', 'exception', 'coordinateReferenceSystem', 'microorganism'],
  ...['chemicalSubstance', 'value', 'component', 'stringValue', 'booleanValue', 'hexBinaryValue', 'uriValue'],
  ...['minValue', 'maxValue', 'meanValue', 'sDev', 'percRank', 'percValue'],
])

/** Whether a document must not redefine a name. */
export function isReserved(name: string): boolean {
  return terms.has(name) || schemes.has(name)
}

/** Whether GS1's context gives a name without prefix a meaning, at any place or only within sensor elements. */
export function isContextTerm(name: string, withinSensors = false): boolean {
  return terms.has(name) || (withinSensors && ofSensors.has(name))
}
