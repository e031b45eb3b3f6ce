export { createCarriers, type NodeCarriers } from './ask.ts'
export { sandbox, signedBySandbox } from './sandbox.ts'
