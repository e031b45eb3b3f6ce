import type { Domain } from '../../kernel/domain.ts'
import { accountEventTypes } from './events.ts'
import {
  addAccount,
  listAccounts,
  setAccountModules,
  setAccountStatus,
  setBusinessModules,
  setHiddenPrices,
} from './operations.ts'
import { peopleModel } from './people.ts'
import { listAllAccounts, registerAccount, resetPassword, setModule, switchAccount } from './platform.ts'
import { changeOwnPassword, currentUser, login, logout, refreshToken } from './sign-in.ts'

/** Businesses, the accounts of people, how they sign in, and the apps that they do it in. */
export const accountsDomain: Domain = {
  name: 'accounts',
  events: accountEventTypes,
  operations: [
    login,
    refreshToken,
    logout,
    currentUser,
    changeOwnPassword,
    addAccount,
    listAccounts,
    setAccountStatus,
    setAccountModules,
    setHiddenPrices,
    setBusinessModules,
    registerAccount,
    listAllAccounts,
    switchAccount,
    resetPassword,
    setModule,
  ],
  readModels: [peopleModel],
}
