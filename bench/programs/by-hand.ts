import { buildByHand, modelNamed } from '../models.ts'

const [, , name = '', storeFile = '', modelsFile = ''] = process.argv
process.stdout.write(`${buildByHand(modelNamed(name), storeFile, modelsFile)} rows\n`)
