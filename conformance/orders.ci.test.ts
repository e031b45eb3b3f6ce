import { ordersAtTwoNodes } from './orders/two-nodes.test.fixture.ts'

ordersAtTwoNodes('the double of an EventStoreDB')
