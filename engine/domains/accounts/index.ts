import type { Gives, Giving } from '../../entity/domain.ts'
import { accountTable } from './account-table.ts'
import { appEventShapes } from './apps/app.ts'
import { appBootstrap } from './apps/bootstrap.ts'
import { assignApp, configureApp, setAppAvailability, showApp } from './apps/platform.ts'
import { confirmOnPage, confirmRegistration, register } from './apps/register.ts'
import { appEmailSignIn, appIdentitySignIn } from './apps/sign-in.ts'
import { removeBrand, removeBrandLogo, setBrand, showBrand, uploadBrandLogo } from './brand/operations.ts'
import { updateAccount, updateBusiness } from './corrections.ts'
import { accountEventShapes } from './events.ts'
import { customersOf } from './for-wallets.ts'
import { forgetAccount } from './forget.ts'
import { linkIdentity } from './identity.ts'
import { inviteAccount, inviteAgain } from './links/invitations.ts'
import { confirmEmailChange, forgotPassword, requestEmailChange, setPasswordByLink } from './links/operations.ts'
import { brandMessages } from './messages/brand.ts'
import { peopleMessages } from './messages/people.ts'
import { staffRoleMessages } from './messages/roles.ts'
import { accountMessages } from './messages.ts'
import {
  addAccount,
  listAccounts,
  setAccountModules,
  setAccountStatus,
  setBusinessModules,
  setHiddenPrices,
} from './operations.ts'
import { peopleModel } from './people.ts'
import {
  listAllAccounts,
  registerAccount,
  replaceEmail,
  resetPassword,
  setModule,
  showModules,
  switchAccount,
} from './platform.ts'
import { brandOf } from './read.ts'
import { createStaffRole, listStaffRoles, removeStaffRole, updateStaffRole } from './roles/operations.ts'
import { endStaffRole, giveStaffRole, putStaffRole, showStaffRoles } from './roles/platform.ts'
import { sessionModel } from './sessions/model.ts'
import { endOtherSessions, endSession, listSessions } from './sessions/operations.ts'
import { changeOwnPassword, currentUser, login, logout, refreshToken } from './sign-in.ts'
import { beginPasskeySignIn, beginSetup, confirmSetup, loginSecondFactor } from './sign-in-steps.ts'

export { type AccountCommand, type AccountState, accountStream, accounts } from './account.ts'
export { type App, type AppEvent, appStream, apps, availableClient } from './apps/app.ts'
export { appBootstrap } from './apps/bootstrap.ts'
export { assignApp, configureApp, setAppAvailability, showApp } from './apps/platform.ts'
export { confirmOnPage, register } from './apps/register.ts'
export { readLogo, type ServedLogo, sweepLogos } from './brand/logo.ts'
export { type BusinessState, businesses, businessStream } from './business.ts'
export { updateAccount } from './corrections.ts'
export type { AccountEvent, BusinessEvent, SessionEvent } from './events.ts'
export * from './factors/index.ts'
export { forgetAccount } from './forget.ts'
export * from './grants/index.ts'
export { accountIdOfEmail, bindingOf, isBoundTo, lastBinding, linkIdentity } from './identity.ts'
export * from './keys/index.ts'
export { letters } from './letters.ts'
export { openLink } from './links/link.ts'
export {
  confirmEmailChange,
  forgotPassword,
  requestEmailChange,
  setPasswordByLink,
} from './links/operations.ts'
export type { BrandCode } from './messages/brand.ts'
export type { PeopleCode } from './messages/people.ts'
export type { StaffRoleCode } from './messages/roles.ts'
export type { AccountCode } from './messages.ts'
export { listAccounts, setAccountStatus } from './operations.ts'
export {
  listAllAccounts,
  registerAccount,
  replaceEmail,
  resetPassword,
  setModule,
  showModules,
  switchAccount,
} from './platform.ts'
export type { AccountPorts } from './ports.ts'
export { asAccount } from './read.ts'
export {
  createStaffRole,
  listStaffRoles,
  removeStaffRole,
  updateStaffRole,
} from './roles/operations.ts'
export { endStaffRole, giveStaffRole, putStaffRole, showStaffRoles } from './roles/platform.ts'
export { rolePresets, roleScopes } from './roles/terms.ts'
export { defaultSessionDays, isOpen, type Session, sessionStream, sessions } from './session.ts'
export { endOtherSessions, endSession, listSessions } from './sessions/operations.ts'
export { currentUser, login, logout } from './sign-in.ts'
export { beginPasskeySignIn, beginSetup, confirmSetup, loginSecondFactor } from './sign-in-steps.ts'
export * from './sign-on/index.ts'

/** What others get from here, by who needs it. */
const gives = {
  tracking: { brandOf },
  ...{ statements: { customers: customersOf }, wallets: { customers: customersOf } },
} satisfies Gives

/** Businesses, accounts, sessions, staff roles, brands and apps. */
export const accountsDomain: Giving<typeof gives> = {
  gives,
  name: 'accounts',
  messages: [accountMessages, peopleMessages, brandMessages, staffRoleMessages],
  events: { ...accountEventShapes, app: appEventShapes },
  tables: [accountTable],
  operations: [
    login,
    beginPasskeySignIn,
    loginSecondFactor,
    beginSetup,
    confirmSetup,
    refreshToken,
    logout,
    currentUser,
    changeOwnPassword,
    listSessions,
    endSession,
    endOtherSessions,
    forgotPassword,
    setPasswordByLink,
    requestEmailChange,
    confirmEmailChange,
    addAccount,
    inviteAccount,
    inviteAgain,
    listAccounts,
    updateAccount,
    setAccountStatus,
    setAccountModules,
    setHiddenPrices,
    listStaffRoles,
    createStaffRole,
    updateStaffRole,
    removeStaffRole,
    setBusinessModules,
    updateBusiness,
    showBrand,
    setBrand,
    removeBrand,
    uploadBrandLogo,
    removeBrandLogo,
    registerAccount,
    listAllAccounts,
    switchAccount,
    resetPassword,
    replaceEmail,
    linkIdentity,
    setModule,
    showModules,
    showStaffRoles,
    putStaffRole,
    endStaffRole,
    giveStaffRole,
    forgetAccount,
    appBootstrap,
    appEmailSignIn,
    appIdentitySignIn,
    register,
    confirmRegistration,
    confirmOnPage,
    configureApp,
    assignApp,
    setAppAvailability,
    showApp,
  ],
  readModels: [peopleModel, sessionModel],
  erasures: ['AccountErased', 'CredentialErased', 'SessionErased'],
  audited: {
    AccountOpened: 'account_open',
    AccountDisabled: 'account_disable',
    AccountEnabled: 'account_enable',
    AccountStaffRoleSet: 'account_change',
    StaffRoleSet: 'staff_role_change',
    StaffRoleDeleted: 'staff_role_change',
    PasswordChanged: 'password_change',
    AccountErased: 'erasure',
  },
}
