/** Apple Pay on the web with payrelay. How to use it: docs/apple-pay-on-the-web.md. */

/** An order by the API's field names (`PaymentRequest` in openapi.yaml, without `token`). What the order token pins may be left out. */
export interface Order {
    merchant_reference: string
    /** In minor units, as an integer or its digits: 10000 is 100.00 AED. */
    amount: number | string
    /** ISO 4217. */
    currency: string
    command?: 'PURCHASE' | 'AUTHORIZATION'
    language?: 'en' | 'ar'
    customer_email?: string
    customer_name?: string
    phone_number?: string
    device_fingerprint?: string
    /** SHA-256 of the payment request's `applicationData`, in hex. */
    application_data_hash?: string
    [field: string]: string | number | undefined
}

/** Apple's `ApplePayPaymentRequest`, as far as it is looked at here. */
export interface PaymentRequest {
    currencyCode: string
    total: { label: string; amount: string; type?: 'final' | 'pending'; [member: string]: unknown }
    requiredShippingContactFields?: readonly string[]
    requiredBillingContactFields?: readonly string[]
    [member: string]: unknown
}

/**
 * `canceled` is the customer's, before anything was sent. The others are the API's. An outcome that a later version of the relay has, and
 * this one does not know, is `uncertain`: deliver nothing, do not let the customer pay again, and ask again; `payment` has the word.
 */
export type Outcome =
    | 'authorized' | 'captured' | 'partially_captured' | 'declined' | 'voided' | 'partially_refunded' | 'refunded'
    | 'not_sent' | 'not_processed' | 'uncertain' | 'canceled'

export interface Result {
    readonly outcome: Outcome
    /** Whether the customer has paid, or the amount is held. */
    readonly isPaid: boolean
    readonly merchant_reference: string
    /**
     * The relay's answer (`Payment` in openapi.yaml); undefined where there is none. Its members and their words may be those of a later
     * version: decide by none that you do not know.
     */
    readonly payment?: Readonly<Record<string, unknown>>
    /**
     * What was asked and answered, for a log: no value of the order or of the customer. `422 reference-taken` and then
     * `404 no-such-payment` say that the reference is another client's, or that it was paid elsewhere: ask your backend.
     */
    readonly attempts: readonly string[]
    /** The sheet was gone before the outcome was known, so the page alone can show it. */
    readonly sheetWasClosed: boolean
}

export type ErrorCode =
    | 'unavailable' | 'offline' | 'busy' | 'invalid-order' | 'amount-mismatch' | 'sheet' | 'order-token' | 'merchant-validation'
    | 'refused' | 'nothing-sent' | 'no-such-payment' | 'unreadable'

/** From `pay`: nothing was charged by it. From `outcome`: the relay shows no such payment, or it could not be read. */
export class CheckoutError extends Error {
    constructor(code: ErrorCode, message: string, more?: Partial<Omit<CheckoutError, 'code' | 'message' | 'name'>>)
    readonly name: 'CheckoutError'
    readonly code: ErrorCode
    /** Of the relay's answer. */
    readonly status?: number
    /** The last part of the problem's `type`: `token-refused`. One that you do not know means what its `status` means. */
    readonly slug?: string
    readonly detail?: string
    readonly errors: readonly { readonly field: string; readonly detail: string }[]
    /** The check that refused the token. */
    readonly check?: string
    /** Seconds after which to try again. */
    readonly retryAfter?: number
    readonly attempts: readonly string[]
    /** With `reference-taken`: the earlier payment, which failed or was given back. */
    readonly payment?: Readonly<Record<string, unknown>>
}

/** What the customer has chosen in the sheet so far: Apple's objects, the contact without name and street. */
export interface Selection {
    /** What changed now. */
    readonly changed: 'shippingContact' | 'shippingMethod' | 'couponCode' | 'paymentMethod'
    readonly shippingContact?: Readonly<Record<string, any>>
    /** Undefined for the first, which Apple selects by itself. */
    readonly shippingMethod?: { readonly identifier: string; readonly [member: string]: unknown }
    readonly couponCode?: string
    readonly paymentMethod?: Readonly<Record<string, any>>
}

/** What the order costs now. The module writes `amount` into the sheet's total. */
export interface Update {
    /** In minor units. */
    amount: number | string
    /** An order token for this amount. */
    orderToken: string
    /** Above the total; none unless they are given. */
    lineItems?: readonly object[]
    /** Those before unless they are given. */
    shippingMethods?: readonly object[]
    /** `ApplePayError`s. The sheet shows them, and decides whether the customer can pay nevertheless. */
    errors?: readonly object[]
}

/** The order cannot be had so: the total stays, and what is authorized before the next change is not sent. */
export interface Refusal {
    amount?: undefined
    errors: readonly [object, ...object[]]
}

export interface SheetTexts {
    emailAddress?: string
    name?: string
    phoneNumber?: string
}

/** What is outside of the module, for tests. The defaults are the browser's. */
export interface Environment {
    fetch(input: string, init: RequestInit): Promise<Response>
    /** Milliseconds, never backwards. */
    now(): number
    sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
    /** 0 to 1. */
    random(): number
    /** Whether there may be a network. */
    isOnline(): boolean
    ApplePaySession: any
    ApplePayError: any
}

export interface Options {
    /**
     * Gets an order token from the merchant's backend; after a reload the order is its `merchant_reference` alone. It is asked when
     * the sheet opens, and again where the customer authorizes more than two minutes later.
     */
    orderToken(order: Readonly<Partial<Order>> & { readonly merchant_reference: string }): string | Promise<string>
    /** Gets the merchant session from elsewhere than the relay. */
    merchantSession?(validationURL: string): Promise<object>
    /** The page's domain, where the relay has several. */
    domain?: string
    /** The order's fields that come from the sheet's contacts. */
    fromSheet?: {
        customer_email?: 'shippingContact'
        customer_name?: 'shippingContact' | 'billingContact'
        phone_number?: 'shippingContact'
    }
    /** In place of the texts in the order's language, that the sheet shows. */
    texts?: SheetTexts
    /** Of Apple Pay JS, 3 or later; 5, the first with mada, unless it is set. */
    version?: number
    /** Milliseconds from the authorization until the sheet is completed, 1000 to 28000; 25000 unless it is set. */
    deadline?: number
    /** Called once, after the constructor: whether this browser, on this page, can show the sheet. */
    ready?(isAvailable: boolean): void
    /** Called by `pay`, in the click, before the sheet opens. If it throws, no sheet opens, and `pay` rejects with what it threw. */
    click?(order: Readonly<Order>): void
    /**
     * Asked after each change in the sheet, for one after another, within `deadline`. If it throws or is late, the sheet closes and nothing
     * is sent.
     */
    change?(selection: Selection, order: Readonly<Order>): Update | Refusal | Promise<Update | Refusal>
    environment?: Partial<Environment>
}

export class ApplePayCheckout {
    constructor(options: Options)
    /** Whether this browser, on this page, can show the sheet. */
    static isAvailable(options?: { version?: number; ApplePaySession?: any }): boolean
    /**
     * Opens the sheet and pays. To be called within the customer's click, before anything is awaited.
     *
     * Rejects with a `CheckoutError`, or with the signal's reason where it was aborted before anything was sent. An abort after
     * that ends with `uncertain`.
     */
    pay(order: Order, paymentRequest: PaymentRequest, options?: { signal?: AbortSignal }): Promise<Result>
    /**
     * What became of an order, after a reload for example.
     *
     * @param options.within milliseconds to wait for an open outcome, 25000 unless it is set; with 0 it is asked for once.
     */
    outcome(merchantReference: string, options?: { within?: number; signal?: AbortSignal }): Promise<Result>
}

/** An amount in minor units as Apple writes it: 10000 of AED is '100.00', of KWD '10.000'. */
export function amountText(amount: number | string, currency: string): string

export interface Problem {
    readonly status: number
    readonly slug: string
    readonly detail: string
    readonly errors: readonly { readonly field: string; readonly detail: string }[]
    readonly check?: string
}

export interface Meaning {
    readonly is: 'settled' | 'open' | 'other' | 'inFlight' | 'busy' | 'refused' | 'unknown'
    readonly payment?: Readonly<Record<string, unknown>>
    readonly problem?: Problem
    readonly retryAfter?: number
}

export interface State {
    readonly isReading: boolean
    readonly mayHaveArrived: boolean
    readonly seen?: 'own' | 'other'
    readonly refusal?: Problem
    readonly busy?: Meaning
}

export type Step =
    | { readonly do: 'send' | 'read'; readonly atOnce?: true; readonly state: State }
    | { readonly end: 'outcome'; readonly outcome: Outcome; readonly payment?: Readonly<Record<string, unknown>> }
    | { readonly end: 'error'; readonly code: ErrorCode; readonly problem?: Problem; readonly retryAfter?: number; readonly payment?: Readonly<Record<string, unknown>> }

/** The rules that `pay` follows, without clock and network: for tests. */
export const rules: {
    readonly start: State
    meaning(answer: { status: number; body?: unknown; retryAfter?: number } | undefined, order: Partial<Order>): Meaning
    next(state: State, meaning: Meaning): Step
    atDeadline(state: State): Step
    pause(attempts: number, retryAfter: number | undefined, random: number): number
    isPaid(outcome: Outcome): boolean
}
