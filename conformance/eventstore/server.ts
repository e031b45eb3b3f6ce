import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { batchAppendCall } from './batch-append.ts'
import type { Certificate } from './certificate.ts'
import { featuresCall, gossipCall } from './discovery.ts'
import type { Node } from './node.ts'
import { readCall } from './read.ts'
import { deleteCall, tombstoneCall } from './remove.ts'
import { appendCall } from './single-append.ts'

/** Address of every double; only this machine can reach it. */
export const host = '127.0.0.1'

/** Bytes of one message; an event of a real server may have 16 MiB. */
const maxMessage = 16 * 1024 * 1024

/** A listening server. */
export interface Listening {
  readonly port: number
  /** Cuts all connections, and waits until the port is free. */
  close(): Promise<void>
}

/** Serves the gRPC calls of a node on a port of the loopback, a free one for 0; with TLS if there is a certificate. */
export async function listen(node: Node, port: number, certificate: Certificate | undefined): Promise<Listening> {
  const server = new Server({ 'grpc.max_receive_message_length': maxMessage })
  server.addService(StreamsService, {
    read: readCall(node),
    append: appendCall(node),
    batchAppend: batchAppendCall(node),
    delete: deleteCall(node),
    tombstone: tombstoneCall(node),
  })
  server.addService(ServerFeaturesService, { getSupportedMethods: featuresCall() })
  server.addService(GossipService, { read: gossipCall(node) })
  const bound = await bind(server, port, credentialsOf(certificate))
  return { port: bound, close: () => shutDown(server) }
}

function credentialsOf(certificate: Certificate | undefined): ServerCredentials {
  if (certificate === undefined) return ServerCredentials.createInsecure()
  const pair = { private_key: Buffer.from(certificate.key), cert_chain: Buffer.from(certificate.certificate) }
  return ServerCredentials.createSsl(null, [pair])
}

function bind(server: Server, port: number, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) => {
      if (error === null) resolve(bound)
      else reject(error)
    })
  })
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.tryShutdown(() => resolve())
    server.forceShutdown()
  })
}
