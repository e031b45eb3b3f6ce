import { valueTexts } from '../../signed-in/value-texts.ts'
import { countedIn } from '../../texts/language.ts'
import type { ApprovalTexts } from './en.ts'

const counted = countedIn('zh-Hans')

/** The fixed texts of the pages of approvals in simplified Chinese. */
export const hans: ApprovalTexts = {
  title: '提议',
  lead: '智能体提出的操作，以及等待决定的操作。',
  signIn: '登录后可查看智能体的提议并作出决定。',
  number: (id) => `账户 ${id}`,
  you: '您',
  filter: { label: '谁的提议', all: '全部', mine: '仅我的' },
  count: counted({ other: '{number} 项待决定' }),
  none: '没有等待决定的提议。',
  noneMine: '您没有等待决定的提议。',
  zone: (zone) => `最新的在前。时区：${zone}。`,
  proposal: (id) => `提议 ${id}`,
  back: '所有提议',
  by: '提议人',
  at: '提议时间',
  expires: '到期时间',
  expired: '过期时间',
  left: {
    days: counted({ other: '{number} 天后' }),
    hours: counted({ other: '{number} 小时后' }),
    minutes: counted({ other: '{number} 分钟后' }),
    soon: '一分钟内',
  },
  reason: '理由',
  decidedBy: '决定人',
  decidedAt: '决定时间',
  risks: { low: '低风险', medium: '中风险', high: '高风险' },
  statuses: { pending: '待决定', approved: '已批准', rejected: '已拒绝', expired: '已过期' },
  ...valueTexts['zh-Hans'],
  refusal: {
    title: '现在无法执行',
    hint: '现在批准会被拒绝，提议将继续等待。',
  },
  decide: {
    title: '您的决定',
    approve: '批准并执行',
    approveHint: '将以提议账户的名义立即执行。',
    reject: '拒绝',
    rejectHint: '不执行任何操作。',
    why: '理由（选填）',
    cannot: '您的账户可以查看此提议，但须由他人决定。',
  },
  done: {
    approved: '已批准：操作已执行。',
    unsuccessful: '已批准，但该请求已无法执行。此结果已记录，没有其他更改。',
    rejected: '已拒绝：未执行任何操作。',
  },
  late: {
    approved: '此提议已被批准，因此未再执行任何操作。',
    rejected: '此提议已被拒绝，因此未执行任何操作。',
    expired: '此提议已过期，因此未执行任何操作。',
    pending: '数据在同一时刻发生了变化。未执行任何操作，请重新核对后再决定。',
  },
  missing: {
    title: '找不到提议',
    lead: '它不存在，或此账户无权查看。',
  },
  forbidden: {
    title: '此账户无权查看提议',
    lead: '请使用其他账户登录，或联系账户管理员。',
  },
  arriving: '正在打开提议',
}
