export { createCarriers, type NodeCarriers } from './ask.ts'
export { sandbox } from './sandbox.ts'
