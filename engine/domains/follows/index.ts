import type { Domain } from '../../entity/domain.ts'
import { dueFollows, endFollow, followEventShapes, followModel } from './follow.ts'

export {
  beginFollow,
  endFollow,
  type Follow,
  type FollowEvent,
  followIn,
  followsWith,
  mostFollows,
} from './follow.ts'

/** Who follows which timelines on devices: their state is sent whenever it changes. */
export const followsDomain: Domain = {
  name: 'follows',
  operations: [],
  events: { follow: followEventShapes },
  readModels: [followModel],
  deadlines: [
    { name: 'the follow of a timeline', due: dueFollows, pass: (context, id) => endFollow(context, id, 'finished') },
  ],
}
