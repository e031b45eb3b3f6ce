import { randomUUID } from 'node:crypto'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js'
import type { Member, Node } from './node.ts'

const version = '23.10.0.0'

/** The call that lists the methods of the server; a client only appends in batches if that is listed. */
export function featuresCall() {
  return (
    _: ServerUnaryCall<shared.Empty, features.SupportedMethods>,
    reply: sendUnaryData<features.SupportedMethods>,
  ) => {
    const methods = Object.values(StreamsService).map(({ path }) => supported(path))
    reply(null, new features.SupportedMethods().setMethodsList(methods).setEventStoreServerVersion(version))
  }
}

/** The call that lists the servers of the cluster and their leader. */
export function gossipCall(node: Node) {
  return (_: ServerUnaryCall<shared.Empty, gossip.ClusterInfo>, reply: sendUnaryData<gossip.ClusterInfo>) => {
    reply(null, new gossip.ClusterInfo().setMembersList(node.members().map(memberOf)))
  }
}

/** Methods are listed in lower case. */
function supported(path: string): features.SupportedMethod {
  const [, serviceName = '', methodName = ''] = path.toLowerCase().split('/')
  return new features.SupportedMethod().setServiceName(serviceName).setMethodName(methodName)
}

function memberOf({ host, port, alive, leader }: Member): gossip.MemberInfo {
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState
  return new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(randomUUID()))
    .setTimeStamp(`${Date.now()}`)
    .setState(leader ? LEADER : FOLLOWER)
    .setIsAlive(alive)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port))
}
