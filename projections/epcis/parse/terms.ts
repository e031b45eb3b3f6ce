/** The terms that GS1's context defines and protects, and URI schemes that no prefix may hide. */
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
  ...['http', 'https', 'urn', 'ni', 'geo'],
])

/** Whether a document must not redefine a name. */
export function isContextTerm(name: string): boolean {
  return terms.has(name)
}
