// The shapes of requests and responses, generated from the OpenAPI document by `make docs`.
// Identifiers and timestamps are text; a timestamp is ISO 8601 in UTC, such as 2026-11-20T10:15:00.000Z.
declare namespace Api {
  interface Operations {
    "POST /authenticate": { params: Record<string, never>; body: Credentials; response: SignedIn };
    "POST /logout": { params: Record<string, never>; response: null };
    "POST /accounts": { params: Record<string, never>; body: NewAccount; response: null };
    "POST /accounts/verify": { params: Record<string, never>; body: Verification; response: SignedIn };
    "POST /accounts/verify/resend": { params: Record<string, never>; body: VerificationRequest; response: null };
    "POST /password-resets": { params: Record<string, never>; body: PasswordResetRequest; response: null };
    "POST /password-resets/confirm": { params: Record<string, never>; body: PasswordReset; response: null };
    "GET /auth/google": { params: Record<string, never>; response: null };
    "GET /auth/google/callback": { params: { code?: string; state?: string; error?: string; iss?: string }; response: null };
    "PUT /me/password": { params: Record<string, never>; body: PasswordChange; response: null };
    "DELETE /me": { params: { withInvoices?: "true" }; body: AccountDeletion; response: null };
    "GET /me": { params: Record<string, never>; response: MeProfile };
    "PATCH /me": { params: Record<string, never>; body: ProfileEdit; response: MeProfile };
    "DELETE /me/sign-in-methods/google": { params: Record<string, never>; response: null };
    "POST /feedback": { params: Record<string, never>; body: NewFeedback; response: AccountDataExportFeedback };
    "GET /boot": { params: { workshopId?: string }; response: Boot };
    "GET /me/data-export": { params: Record<string, never>; response: AccountDataExport };
    "GET /me/data-archive": { params: Record<string, never>; as: "blob"; response: Blob };
    "GET /me/sessions": { params: { limit?: number; cursor?: string }; response: SessionsList };
    "DELETE /me/sessions/{sessionId}": { params: { sessionId: string | number }; response: null };
    "GET /me/api-keys": { params: { limit?: number; cursor?: string }; response: ApiKeysList };
    "POST /me/api-keys": { params: Record<string, never>; body: NewApiKey; response: ApiKeyWithSecret };
    "DELETE /me/api-keys/{keyId}": { params: { keyId: string | number }; response: null };
    "GET /key": { params: Record<string, never>; response: CurrentApiKey };
    "GET /workshops": { params: { limit?: number; cursor?: string }; response: WorkshopsList };
    "POST /workshops": { params: Record<string, never>; body: NewWorkshop; response: Workshop };
    "GET /workshops/{workshopId}": { params: { workshopId: string | number }; response: Workshop };
    "PATCH /workshops/{workshopId}": { params: { workshopId: string | number }; body: WorkshopEdit; response: Workshop };
    "DELETE /workshops/{workshopId}": { params: { workshopId: string | number; withInvoices?: "true" }; response: null };
    "PUT /workshops/{workshopId}/context": { params: { workshopId: string | number }; body: ContextEdit; response: WorkshopContext };
    "POST /workshops/{workshopId}/context/synthesis": { params: { workshopId: string | number }; response: WorkshopContextDerived };
    "GET /workshops/{workshopId}/invitations": { params: { workshopId: string | number; limit?: number; cursor?: string }; response: InvitationsList };
    "POST /workshops/{workshopId}/invitations": { params: { workshopId: string | number }; body: NewInvitation; response: AddedInvitation };
    "POST /invitations/{invitationId}/addresses": { params: { invitationId: string | number }; response: InvitationAddress };
    "DELETE /invitations/{invitationId}": { params: { invitationId: string | number }; response: null };
    "POST /invitations/preview": { params: Record<string, never>; body: InvitationQuery; response: InvitationPreview };
    "POST /invitations/accept": { params: Record<string, never>; body: InvitationAcceptance; response: Workshop };
    "POST /invitations/join": { params: Record<string, never>; body: InvitationJoin; response: SignedIn };
    "PATCH /workshops/{workshopId}/members/{userId}": { params: { workshopId: string | number; userId: string | number }; body: MemberEdit; response: WorkshopMember };
    "DELETE /workshops/{workshopId}/members/{userId}": { params: { workshopId: string | number; userId: string | number }; response: null };
    "GET /workshops/{workshopId}/audit": { params: { workshopId: string | number; limit?: number; cursor?: string }; response: AuditTrail };
    "GET /workshops/{workshopId}/changes": { params: { workshopId: string | number; since?: string; limit?: number; include?: string }; response: Changes };
    "GET /workshops/{workshopId}/calendars": { params: { workshopId: string | number }; response: CalendarsList };
    "POST /workshops/{workshopId}/calendars": { params: { workshopId: string | number }; body: NewCalendar; response: CalendarWithSecret };
    "DELETE /calendars/{calendarId}": { params: { calendarId: string | number }; response: null };
    "GET /calendar-feeds/{fileName}": { params: { fileName: string | number }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/webhooks": { params: { workshopId: string | number }; response: WebhooksList };
    "POST /workshops/{workshopId}/webhooks": { params: { workshopId: string | number }; body: NewWebhook; response: WebhookWithSecret };
    "GET /webhooks/{webhookId}": { params: { webhookId: string | number }; response: Webhook };
    "PATCH /webhooks/{webhookId}": { params: { webhookId: string | number }; body: WebhookEdit; response: Webhook };
    "DELETE /webhooks/{webhookId}": { params: { webhookId: string | number }; response: null };
    "POST /webhooks/{webhookId}/rotate": { params: { webhookId: string | number }; response: WebhookSecret };
    "POST /webhooks/{webhookId}/test": { params: { webhookId: string | number }; response: null };
    "GET /webhooks/{webhookId}/deliveries": { params: { webhookId: string | number }; response: DeliveriesList };
    "POST /webhooks/{webhookId}/replay": { params: { webhookId: string | number }; body: Replay; response: null };
    "POST /deliveries/{deliveryId}/resend": { params: { deliveryId: string | number }; response: null };
    "GET /push/key": { params: Record<string, never>; response: PushKey };
    "GET /me/push-subscriptions": { params: Record<string, never>; response: PushSubscriptionsList };
    "POST /me/push-subscriptions": { params: Record<string, never>; body: NewPushSubscription; response: PushSubscription };
    "DELETE /me/push-subscriptions/{subscriptionId}": { params: { subscriptionId: string | number }; response: null };
    "POST /me/push-subscriptions/{subscriptionId}/test": { params: { subscriptionId: string | number }; response: null };
    "POST /mcp": { params: Record<string, never>; body: McpMessage; response: McpResponse };
    "GET /workshops/{workshopId}/events": { params: { workshopId: string | number; since?: string }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/inbox": { params: { workshopId: string | number; limit?: number }; response: Inbox };
    "POST /workshops/{workshopId}/inbox/read": { params: { workshopId: string | number }; body: InboxRead; response: null };
    "DELETE /workshops/{workshopId}/inbox/{itemId}": { params: { workshopId: string | number; itemId: string | number }; response: null };
    "GET /workshops/{workshopId}/entitlements": { params: { workshopId: string | number }; response: WorkshopEntitlementsUsage };
    "GET /workshops/{workshopId}/document-settings": { params: { workshopId: string | number }; response: DocumentSettings };
    "PUT /workshops/{workshopId}/document-settings": { params: { workshopId: string | number }; body: DocumentSettings; response: DocumentSettings };
    "POST /workshops/{workshopId}/billing/trial": { params: { workshopId: string | number }; response: WorkshopEntitlementsUsage };
    "POST /workshops/{workshopId}/billing/checkout": { params: { workshopId: string | number }; response: CheckoutPage };
    "POST /workshops/{workshopId}/billing/portal": { params: { workshopId: string | number }; response: CheckoutPage };
    "POST /webhooks/stripe": { params: Record<string, never>; response: null };
    "GET /workshops/{workshopId}/orders": { params: { workshopId: string | number; limit?: number; cursor?: string; status?: "todo" | "in_progress" | "done"; q?: string }; response: OrdersList };
    "POST /workshops/{workshopId}/orders": { params: { workshopId: string | number }; body: NewOrder; response: Order };
    "GET /orders/{orderId}": { params: { orderId: string | number }; response: OrderResponse };
    "PATCH /orders/{orderId}": { params: { orderId: string | number }; body: OrderEdit; response: Order };
    "DELETE /orders/{orderId}": { params: { orderId: string | number }; response: null };
    "PATCH /orders/{orderId}/status": { params: { orderId: string | number }; body: OrderMove; response: Order };
    "GET /workshops/{workshopId}/order-summaries": { params: { workshopId: string | number; limit?: number; cursor?: string; due?: "overdue" | "today" | "week" | "later" | "none"; status?: "todo" | "in_progress" | "done"; stage?: "received" | "waiting" | "in_progress" | "ready" | "collected"; assignedTo?: string; customerId?: string; place?: string; collected?: "true" | "false"; owed?: "true"; ids?: string; q?: string }; response: OrderSummariesList };
    "GET /workshops/{workshopId}/order-counts": { params: { workshopId: string | number }; response: OrderCounts };
    "GET /orders/{orderId}/details": { params: { orderId: string | number }; response: OrderDetails };
    "PATCH /orders/{orderId}/details": { params: { orderId: string | number }; body: OrderDetailsEdit; response: OrderDetails };
    "POST /orders/{orderId}/collected": { params: { orderId: string | number }; body: NewCollection; response: OrderDetails };
    "DELETE /orders/{orderId}/collected": { params: { orderId: string | number }; response: OrderDetails };
    "GET /orders/{orderId}/slip": { params: { orderId: string | number; format?: "a5" | "receipt-80" | "receipt-58" | "label-62x29" | "label-54x25"; locale?: "pl" | "en"; piece?: number; place?: "true" | "false" }; as: "blob"; response: Blob };
    "GET /orders/{orderId}/signature": { params: { orderId: string | number }; response: OrderSignature };
    "PUT /orders/{orderId}/signature": { params: { orderId: string | number }; body: NewOrderSignature; response: OrderSignature };
    "DELETE /orders/{orderId}/signature": { params: { orderId: string | number }; response: OrderSignature };
    "GET /orders/{orderId}/invoices": { params: { orderId: string | number; limit?: number; cursor?: string }; response: InvoicesList };
    "POST /orders/{orderId}/invoices": { params: { orderId: string | number }; body: NewInvoice; response: Invoice };
    "GET /invoices/{invoiceId}": { params: { invoiceId: string | number }; response: Invoice };
    "PATCH /invoices/{invoiceId}": { params: { invoiceId: string | number }; body: InvoiceEdit; response: Invoice };
    "DELETE /invoices/{invoiceId}": { params: { invoiceId: string | number }; response: null };
    "POST /invoices/{invoiceId}/issue": { params: { invoiceId: string | number }; body: InvoiceIssue; response: Invoice };
    "POST /invoices/{invoiceId}/corrections": { params: { invoiceId: string | number }; body: NewCorrection; response: Invoice };
    "GET /invoices/{invoiceId}/pdf": { params: { invoiceId: string | number; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /invoices/{invoiceId}/xml": { params: { invoiceId: string | number; format?: "cii" | "ubl" | "fa3" }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/invoices": { params: { workshopId: string | number; limit?: number; cursor?: string; from?: string; to?: string; kind?: "invoice" | "advance" | "final" | "correction"; state?: "draft" | "issued"; customerId?: string; q?: string; unpaid?: "true" }; response: InvoicesList };
    "GET /workshops/{workshopId}/invoices.csv": { params: { workshopId: string | number; from?: string; to?: string; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /orders/{orderId}/payments": { params: { orderId: string | number; limit?: number; cursor?: string }; response: PaymentsList };
    "POST /orders/{orderId}/payments": { params: { orderId: string | number }; body: NewPayment; response: Payment };
    "POST /payments/{paymentId}/void": { params: { paymentId: string | number }; body: NewVoid; response: Payment };
    "GET /orders/{orderId}/balance": { params: { orderId: string | number }; response: Balance };
    "PUT /orders/{orderId}/agreed": { params: { orderId: string | number }; body: NewPrice; response: Balance };
    "GET /orders/{orderId}/payment-request": { params: { orderId: string | number }; response: PaymentRequest };
    "GET /orders/{orderId}/payment-code": { params: { orderId: string | number }; as: "blob"; response: Blob };
    "GET /client/order/payment-code": { params: Record<string, never>; as: "blob"; response: Blob };
    "GET /payments/{paymentId}/receipt": { params: { paymentId: string | number; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/payments": { params: { workshopId: string | number; limit?: number; cursor?: string; from?: string; to?: string }; response: PaymentsList };
    "GET /workshops/{workshopId}/numbers": { params: { workshopId: string | number; from?: string; to?: string }; response: WorkshopNumbers };
    "GET /workshops/{workshopId}/agreed": { params: { workshopId: string | number; limit?: number; cursor?: string; from?: string; to?: string }; response: AgreedList };
    "GET /workshops/{workshopId}/orders.csv": { params: { workshopId: string | number; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/payments.csv": { params: { workshopId: string | number; from?: string; to?: string; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/customers.csv": { params: { workshopId: string | number; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/tiles.csv": { params: { workshopId: string | number; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/numbers.csv": { params: { workshopId: string | number; from?: string; to?: string; locale?: "pl" | "en" }; as: "blob"; response: Blob };
    "GET /orders/{orderId}/status-link": { params: { orderId: string | number }; response: StatusLink };
    "GET /orders/{orderId}/status-code": { params: { orderId: string | number }; as: "blob"; response: Blob };
    "POST /orders/{orderId}/status-link/renew": { params: { orderId: string | number }; response: StatusLink };
    "GET /client/order": { params: Record<string, never>; response: ClientOrder };
    "POST /client/order/questions": { params: Record<string, never>; body: NewQuestion; response: OrderQuestion };
    "GET /orders/{orderId}/questions": { params: { orderId: string | number }; response: OrderQuestionsList };
    "POST /orders/{orderId}/questions": { params: { orderId: string | number }; body: NewOrderAnswer; response: OrderQuestion };
    "POST /orders/{orderId}/message-draft": { params: { orderId: string | number }; body: NewOrderMessage; response: OrderMessage };
    "GET /orders/{orderId}/notices": { params: { orderId: string | number; limit?: number; cursor?: string }; response: NoticesList };
    "POST /orders/{orderId}/notices": { params: { orderId: string | number }; body: NewNotice; response: Notice };
    "GET /orders/{orderId}/photos": { params: { orderId: string | number }; response: PhotosList };
    "POST /orders/{orderId}/photos": { params: { orderId: string | number }; form: FormData; response: Photo };
    "PUT /orders/{orderId}/photos/order": { params: { orderId: string | number }; body: PhotosOrder; response: PhotosList };
    "GET /photos/{photoId}": { params: { photoId: string | number }; response: Photo };
    "PATCH /photos/{photoId}": { params: { photoId: string | number }; body: PhotoEdit; response: Photo };
    "DELETE /photos/{photoId}": { params: { photoId: string | number }; response: null };
    "GET /photos/{photoId}/image": { params: { photoId: string | number }; as: "blob"; response: Blob };
    "GET /photos/{photoId}/thumb": { params: { photoId: string | number }; as: "blob"; response: Blob };
    "GET /client/order/photos/{photoId}": { params: { photoId: string | number }; as: "blob"; response: Blob };
    "GET /client/order/photos/{photoId}/thumb": { params: { photoId: string | number }; as: "blob"; response: Blob };
    "GET /workshops/{workshopId}/customers": { params: { workshopId: string | number; limit?: number; cursor?: string; q?: string }; response: CustomersList };
    "POST /workshops/{workshopId}/customers": { params: { workshopId: string | number }; body: NewCustomer; response: Customer };
    "GET /customers/{customerId}": { params: { customerId: string | number }; response: Customer };
    "PATCH /customers/{customerId}": { params: { customerId: string | number }; body: CustomerEdit; response: Customer };
    "DELETE /customers/{customerId}": { params: { customerId: string | number }; response: null };
    "GET /customers/{customerId}/history": { params: { customerId: string | number; limit?: number; cursor?: string }; response: CustomerHistory };
    "POST /customers/{customerId}/merge": { params: { customerId: string | number }; body: CustomerMerge; response: Customer };
    "POST /customers/{customerId}/unmerge": { params: { customerId: string | number }; body: CustomerMerge; response: Customer };
    "POST /customers/{customerId}/erase": { params: { customerId: string | number }; response: Erasure };
    "GET /customers/{customerId}/data": { params: { customerId: string | number }; response: CustomerData };
    "GET /workshops/{workshopId}/imports": { params: { workshopId: string | number }; response: ImportsList };
    "POST /workshops/{workshopId}/imports": { params: { workshopId: string | number }; form: FormData; response: Import };
    "GET /imports/{importId}": { params: { importId: string | number }; response: Import };
    "PATCH /imports/{importId}": { params: { importId: string | number }; body: ImportEdit; response: Import };
    "POST /imports/{importId}/run": { params: { importId: string | number }; response: ImportResult };
    "POST /imports/{importId}/undo": { params: { importId: string | number }; response: UndoneImport };
    "GET /workshops/{workshopId}/estimates": { params: { workshopId: string | number; limit?: number; cursor?: string }; response: EstimatesList };
    "POST /workshops/{workshopId}/estimates": { params: { workshopId: string | number }; body: NewEstimate; response: Estimate };
    "GET /workshops/{workshopId}/estimate-summaries": { params: { workshopId: string | number; limit?: number; cursor?: string; estimateId?: string; q?: string; state?: "draft" | "confirmed" | "changed" }; response: EstimateSummariesList };
    "GET /workshops/{workshopId}/recipients": { params: { workshopId: string | number; q?: string; limit?: number }; response: RecipientsList };
    "GET /estimates/{estimateId}": { params: { estimateId: string | number }; response: Estimate };
    "PATCH /estimates/{estimateId}": { params: { estimateId: string | number }; body: EstimateEdit; response: Estimate };
    "DELETE /estimates/{estimateId}": { params: { estimateId: string | number }; response: null };
    "POST /estimates/{estimateId}/duplicate": { params: { estimateId: string | number }; response: Estimate };
    "POST /estimates/{estimateId}/line-items": { params: { estimateId: string | number }; body: NewLineItem; response: Estimate };
    "PATCH /estimates/{estimateId}/line-items/{lineId}": { params: { estimateId: string | number; lineId: string | number }; body: LineItemEdit; response: Estimate };
    "DELETE /estimates/{estimateId}/line-items/{lineId}": { params: { estimateId: string | number; lineId: string | number }; response: Estimate };
    "GET /estimates/{estimateId}/totals": { params: { estimateId: string | number }; response: Totals };
    "GET /estimates/{estimateId}/preview": { params: { estimateId: string | number; page?: number; locale?: "pl" | "en"; breakdown?: boolean; showMarkup?: boolean; showDiscount?: boolean; showRecipient?: boolean; showBrandMark?: boolean; width?: number }; as: "blob"; response: Blob };
    "GET /estimates/{estimateId}/document": { params: { estimateId: string | number }; response: DocumentFacts };
    "PUT /estimates/{estimateId}/document": { params: { estimateId: string | number }; body: DocumentFacts; response: DocumentFacts };
    "POST /estimates/{estimateId}/orders": { params: { estimateId: string | number }; body: OrderFromEstimate; response: Order };
    "GET /workshops/{workshopId}/line-items/most-used": { params: { workshopId: string | number; limit?: number }; response: MostUsedLineItemsList };
    "POST /estimates/{estimateId}/confirm": { params: { estimateId: string | number }; response: EstimateConfirmation };
    "GET /estimates/{estimateId}/revisions": { params: { estimateId: string | number; limit?: number; cursor?: string }; response: EstimateRevisionsList };
    "GET /estimates/{estimateId}/revisions/{revisionNumber}": { params: { estimateId: string | number; revisionNumber: string | number }; response: EstimateRevision };
    "GET /estimates/{estimateId}/revisions/{revisionNumber}/totals": { params: { estimateId: string | number; revisionNumber: string | number }; response: RevisionTotals };
    "GET /estimates/{estimateId}/handoffs": { params: { estimateId: string | number; limit?: number; cursor?: string }; response: HandoffsList };
    "POST /estimates/{estimateId}/handoffs": { params: { estimateId: string | number }; body: NewHandoff; response: Handoff };
    "POST /estimates/{estimateId}/message-draft": { params: { estimateId: string | number }; body: NewMessageDraft; response: DraftedMessage };
    "GET /estimates/{estimateId}/pdf-exports": { params: { estimateId: string | number; limit?: number; cursor?: string }; response: PdfExportsList };
    "POST /estimates/{estimateId}/pdf-exports": { params: { estimateId: string | number }; body: NewPdfExport; response: PdfExport };
    "GET /estimates/{estimateId}/pdf-exports/{pdfExportId}": { params: { estimateId: string | number; pdfExportId: string | number }; as: "blob"; response: Blob };
    "DELETE /estimates/{estimateId}/pdf-exports/{pdfExportId}": { params: { estimateId: string | number; pdfExportId: string | number }; response: null };
    "GET /estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}": { params: { estimateId: string | number; pdfExportId: string | number; pageNumber: string | number; width?: number }; as: "blob"; response: Blob };
    "GET /estimates/{estimateId}/links": { params: { estimateId: string | number; limit?: number; cursor?: string }; response: LinksList };
    "POST /estimates/{estimateId}/links": { params: { estimateId: string | number }; body: NewLink; response: LinkWithSecret };
    "PATCH /links/{linkId}": { params: { linkId: string | number }; body: LinkEdit; response: ChangedLink };
    "DELETE /links/{linkId}": { params: { linkId: string | number }; response: null };
    "POST /links/{linkId}/addresses": { params: { linkId: string | number }; response: AddressWithSecret };
    "POST /links/{linkId}/mail": { params: { linkId: string | number }; body: LinkMail; response: null };
    "GET /client/estimate": { params: Record<string, never>; response: ClientEstimate };
    "GET /client/estimate/pdf": { params: Record<string, never>; as: "blob"; response: Blob };
    "GET /client/estimate/logo": { params: { emoji?: "true" | "false" }; as: "blob"; response: Blob };
    "GET /client/estimate/pages/{pageNumber}": { params: { pageNumber: string | number; width?: number }; as: "blob"; response: Blob };
    "GET /client/estimate/payment-code": { params: Record<string, never>; as: "blob"; response: Blob };
    "POST /client/estimate/opened": { params: Record<string, never>; response: null };
    "POST /client/estimate/comments": { params: Record<string, never>; body: NewComment; response: Comment };
    "GET /estimates/{estimateId}/comments": { params: { estimateId: string | number; limit?: number; cursor?: string }; response: CommentsList };
    "POST /links/{linkId}/comments": { params: { linkId: string | number }; body: NewAnswer; response: EstimateComment };
    "POST /client/estimate/accept": { params: Record<string, never>; body: NewAcceptance; response: Decision };
    "POST /client/estimate/decline": { params: Record<string, never>; body: NewDecline; response: Decision };
    "GET /estimates/{estimateId}/decisions": { params: { estimateId: string | number; limit?: number; cursor?: string }; response: DecisionsList };
    "POST /estimates/{estimateId}/decisions": { params: { estimateId: string | number }; body: NewDecision; response: Decision };
    "GET /decisions/{decisionId}/certificate": { params: { decisionId: string | number }; as: "blob"; response: Blob };
    "POST /decisions/{decisionId}/void": { params: { decisionId: string | number }; body: VoidedDecision; response: Decision };
    "GET /workshops/{workshopId}/grids": { params: { workshopId: string | number; limit?: number; cursor?: string }; response: GridsList };
    "POST /workshops/{workshopId}/grids": { params: { workshopId: string | number }; body: NewGrid; response: Grid };
    "PUT /workshops/{workshopId}/grids/order": { params: { workshopId: string | number }; body: GridOrder; response: GridsList };
    "POST /grids/{gridId}/buttons": { params: { gridId: string | number }; body: AddedButtons; response: Grid };
    "GET /grids/{gridId}": { params: { gridId: string | number }; response: Grid };
    "PATCH /grids/{gridId}": { params: { gridId: string | number }; body: GridEdit; response: Grid };
    "DELETE /grids/{gridId}": { params: { gridId: string | number }; response: null };
    "GET /catalog": { params: Record<string, never>; response: PredefinedItemsCatalog };
    "GET /catalog/emoji": { params: Record<string, never>; response: EmojiSet };
    "GET /catalog/keywords": { params: Record<string, never>; response: CatalogKeywords };
    "GET /catalog/intake": { params: Record<string, never>; response: IntakeWords };
    "POST /files": { params: Record<string, never>; form: FormData; response: FileRecord };
    "GET /files/{fileId}": { params: { fileId: string | number }; as: "blob"; response: Blob };
    "DELETE /files/{fileId}": { params: { fileId: string | number }; response: null };
    "GET /workshops/{workshopId}/files": { params: { workshopId: string | number; limit?: number; cursor?: string }; response: FilesList };
  }

  interface AccountDataExport {
    /** The account. */
    user: AccountDataExportUser;
    /** Every workshop that the account is a member of, with its content. */
    workshops: Array<ExportedWorkshop>;
    /** The messages that the account sent to the host. */
    feedback: Array<AccountDataExportFeedback>;
    /** The Google accounts that can sign in to this account. */
    authProviders: Array<AccountDataExportAuthProvider>;
    /** The API keys of the account, without their secrets. */
    apiTokens: Array<ApiKey>;
  }

  interface AccountDataExportAuthProvider {
    /** The provider; always `google`. */
    provider: "google";
    /** The id of the account at the provider. */
    subject: string;
    /** When it was linked to the account. */
    linkedAt: string;
  }

  interface AccountDataExportFeedback {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** `feedback` (an opinion or idea) or `support` (a question or problem). */
    kind: "feedback" | "support";
    /** The subject, in one line. */
    title: string;
    /** The text of the message. */
    message: string;
    /** The email address of the account when the message was sent. */
    email: string;
    /** The language of the account when the message was sent. */
    locale: "en" | "pl";
    /** When the object was created. */
    createdAt: string;
    /** The page from which the message was sent. */
    path?: string;
    /** The browser from which the message was sent. */
    userAgent?: string;
  }

  interface AccountDataExportUser {
    /** The id of the account, a UUID (version 7). */
    uid: string;
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
    /** The name of the person. */
    name: string;
    /** The state of the account: `pending` (email address not confirmed yet), `active`, `suspended` or `deleted`. */
    status: "pending" | "active" | "suspended" | "deleted";
    /** When the email address was confirmed; null if it is not. */
    emailVerifiedAt: string | null;
    /** The version of the terms that the account accepted. */
    termsVersion?: string;
    /** When the account accepted the terms. */
    termsAcceptedAt?: string;
    /** When the account last signed in. */
    lastLoginAt?: string;
    /** The language of the account, in which it gets emails and the labels of grid templates: `en` (English) or `pl` (Polish). */
    locale?: "en" | "pl";
  }

  interface AccountDeletion {
    /** The password of the account, to confirm that its owner deletes it. */
    password: string;
  }

  /** Either all items of a template, or items of the catalog. `locale` is the language of the labels. */
  interface AddedButtons {
    /** The `slug` of a template of the catalog. Either this or `itemIds`. */
    templateSlug?: string;
    /** The ids of items of the catalog, in the order of the new buttons. Either this or `templateSlug`. */
    itemIds?: Array<string>;
    /** The language of the texts that come from the catalog: `en` or `pl`. Default: the language of the caller. */
    locale?: "en" | "pl";
  }

  /** An invitation with an address to pass on: `url` has its token, which is returned only once. */
  interface AddedInvitation {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The email address of the person who is invited. */
    email: string;
    /** What the member may do. `owner`: everything. `member`: everything except members, invitations, billing, the audit trail and deleting the workshop. */
    role: "owner" | "member";
    /** When the object was created. */
    createdAt: string;
    /** When the invitation ends: 7 days after it was sent. */
    expiresAt: string;
    /** The `uid` of the owner who sent the invitation. */
    invitedByUid: string;
    /** The address of the page on which the invitation is accepted, with a token in its fragment. It is returned only once. */
    url: string;
    /** A QR code of `url`, as SVG. */
    qrCode: string;
  }

  /** `url` has the token of the address, which is returned only once. */
  interface AddressWithSecret {
    /** The address of the client's page, with the token in its fragment. It is returned only once. */
    url: string;
  }

  interface AdvanceRef {
    /** The id of the advance. */
    invoiceId: string;
    /** Its number. */
    number: string;
    /** Its total after its corrections. */
    total: number;
  }

  /** A price that was agreed: that of an accepted estimate, or one that was entered for an order. */
  interface AgreedEntry {
    /** The id of the decision, or of the order for which the price was entered. */
    id: string;
    /** When it was agreed. */
    at: string;
    /** `accepted` for a revision that was accepted, `entered` for a price that was entered. */
    source: "accepted" | "confirmed" | "entered" | "none";
    /** The name of the estimate, or the title of the order. */
    title: string;
    /** The currency (ISO 4217). */
    currency: string;
    /** The price. */
    amount: number;
    /** The recipient of the estimate, or the customer of the order. Absent if there is none. */
    name?: string;
    /** The id of the estimate. Absent without one. */
    estimateId?: string;
    /** The id of the latest order of it. Absent without one. */
    orderId?: string;
  }

  interface AgreedList {
    /** The prices, the latest first. */
    agreed: Array<AgreedEntry>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** The revision that the client accepted, else the latest one, in the money it was confirmed in. */
  interface AgreedPrice {
    /** The id of the estimate. */
    estimateId: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** The currency in which the revision was confirmed (ISO 4217). */
    currency: string;
    /** The total with tax. */
    total: number;
    /** Whether the client accepted this revision. */
    accepted: boolean;
  }

  interface AmountDue {
    /** The currency (ISO 4217). */
    currency: string;
    /** The amount. */
    amount: number;
  }

  /** An API key without its secret. */
  interface ApiKey {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The name by which its owner recognizes the key. */
    name: string;
    /** The first 12 characters of the secret, by which the key can be recognized. */
    prefix: string;
    /** What the key may do: the security scheme `apiKey` lists the areas that each opens. Writing does not include reading. */
    scopes: Array<"orders:read" | "orders:write" | "estimates:read" | "estimates:write" | "customers:read" | "customers:write" | "payments:read" | "payments:write" | "invoices:read" | "invoices:write" | "files:read" | "files:write" | "drafts:write">;
    /** When the object was created. */
    createdAt: string;
    /** The id of the workshop that the key is bound to. Absent if it may act in every workshop of its account. */
    workshopId?: string;
    /** When the key was last used; recorded once an hour. Absent if it was not used yet. */
    lastUsedAt?: string;
    /** When it stops being valid. Absent for an API key that does not expire. */
    expiresAt?: string;
    /** When the key was revoked. Absent if it was not. */
    revokedAt?: string;
  }

  /** A new API key with its secret, which is returned only once. */
  interface ApiKeyWithSecret {
    /** The new key. */
    apiKey: ApiKey;
    /** What is sent as `Authorization: Bearer …`. It is returned only once. */
    secret: string;
  }

  /** A workshop in which an API key may act. */
  interface ApiKeyWorkshop {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The name of the workshop. */
    name: string;
  }

  interface ApiKeysList {
    /** The API keys, newest first, including revoked ones. */
    apiKeys: Array<ApiKey>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** A change of a workshop. `version` numbers them from 1, without gaps, in the order of their commits. `action` is the event type, such as `order.moved`; `objectId` is the id of what was changed or created. */
  interface AuditEntry {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** The number of the change in its workshop: 1, 2, 3 … without gaps, in the order of the commits. */
    version: number;
    /** When the change was made. */
    at: string;
    /** Who made the change: `account` (a person with a session), `key` (an API key), `client` (the recipient of an estimate), `host` (the command line) or `provider` (an event of the payment provider). */
    actorKind: "account" | "key" | "client" | "host" | "provider";
    /** What was done, such as `order.moved`. */
    action: string;
    /** The id of the object that was changed. */
    objectId: string;
    /** The `uid` of the account that made the change, itself or by an API key. Absent for the host, the payment provider and clients. */
    actorUid?: string;
    /** The id of the session, for a change by a signed-in person. */
    sessionId?: string;
    /** The id of the API key, for a change by a program. */
    keyId?: string;
  }

  interface AuditTrail {
    /** The audit entries, newest first. */
    entries: Array<AuditEntry>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  interface AuthenticatedUser {
    /** The id of the account, a UUID (version 7). */
    uid: string;
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
    /** The name of the person. */
    name: string;
    /** The language of the account, in which it gets emails and the labels of grid templates: `en` (English) or `pl` (Polish). */
    locale: "en" | "pl";
  }

  /** `paid`: payments and deposits less refunds. `due`: what is left of `agreed`, 0 where more was paid. */
  interface Balance {
    /** The currency of the price; without one, of the latest payment; without any, of the workshop. */
    currency: string;
    /** What states the price: the `accepted` revision, the `entered` price, the latest `confirmed` revision, or `none`. */
    source: "accepted" | "confirmed" | "entered" | "none";
    /** Payments and deposits that stand, less refunds. */
    paid: number;
    /** The price. Absent without one. */
    agreed?: number;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber?: number;
    /** What the document of the revision asks for with the order. Absent without one. */
    deposit?: Deposit;
    /** What is left of `agreed`, at least 0. Absent without a price. */
    due?: number;
    /** What was paid beyond `agreed`. Absent otherwise. */
    overpaid?: number;
  }

  /** One state of the database, that of `cursor`. The last five are there where the account has a workshop. `summaries` are the first of the board; `unread` counts the items of the inbox. */
  interface Boot {
    /** The id of the account. */
    uid: string;
    /** The account. */
    profile: MeProfile;
    /** The workshops of the account, newest first. */
    workshops: Array<Workshop>;
    /** The id of the workshop that the members below are of. Absent, as they are, if the account has none. */
    workshopId?: string;
    /** Where the changes of the workshop continue: send it as `since` to `listChanges`. Opaque. */
    cursor?: string;
    /** The first 20 summaries of its orders, earliest due first. */
    summaries?: Array<OrderSummary>;
    /** The numbers of its orders. */
    counts?: OrderCounts;
    /** How many items of its inbox the account has not read. */
    unread?: number;
  }

  interface BrandMarkEntitlement {
    /** Whether the plan allows PDFs without the mark. */
    canDisable: boolean;
  }

  interface Buyer {
    /** The name of the buyer; empty in a draft of an order without one. */
    name: string;
    /** The address, in several lines. */
    address?: string;
    /** The country (ISO 3166-1). */
    country?: string;
    /** The tax id. */
    taxId?: string;
    /** The email address. */
    email?: string;
    /** Whether the buyer is a consumer. Default: whoever has no tax id is one. Default: `false`. */
    isConsumer?: boolean;
  }

  /** `by`: the name of the member who made it, where that is another one. */
  interface Calendar {
    /** The id of the feed, for `deleteCalendar`. */
    id: string;
    /** What calendar programs call the feed. */
    name: string;
    /** The days of the feed: `due`, `estimates` or `both`. */
    show: "due" | "estimates" | "both";
    /** Customers in the feed: `full`, `initials` or `none`. */
    names: "full" | "initials" | "none";
    /** When it was made. */
    createdAt: string;
    /** The name of the member who made it, where that is another one: owners see every feed. */
    by?: string;
  }

  /** `url` has the secret, and is in no other response. */
  interface CalendarWithSecret {
    /** The feed. */
    calendar: Calendar;
    /** Its address, with the secret. It is shown once. */
    url: string;
  }

  interface CalendarsList {
    /** The feeds, oldest first. */
    calendars: Array<Calendar>;
  }

  interface CatalogKeywords {
    /** Every item of the catalog, in its order. */
    items: Array<ItemKeywords>;
    /** Every emoji that a button or logo can show, in the order of a picker. */
    emoji: Array<EmojiKeywords>;
  }

  interface ChangedLink {
    /** The link. */
    link: Link;
  }

  /** `reset`: the cursor cannot be continued; load the lists anew, then ask from the new `cursor`. `orderSummaries`, `estimateSummaries`, `inbox` and `comments` are there where the query includes them. */
  interface Changes {
    /** Where the next request continues: send it as `since`. Opaque. */
    cursor: string;
    /** Whether further objects changed. Ask again from `cursor`. */
    more: boolean;
    /** Whether the sent cursor cannot be continued. Load the lists anew, then ask from `cursor`. */
    reset: boolean;
    /** The orders that changed, as they are now. */
    orders: Array<Order>;
    /** The details of orders that changed, as they are now. */
    orderDetails: Array<OrderDetails>;
    /** The estimates that changed, as they are now. */
    estimates: Array<Estimate>;
    /** The grids that changed, as they are now. */
    grids: Array<Grid>;
    /** The payments that were recorded or voided, as they are now. Those of a deleted order are gone with it. */
    payments: Array<Payment>;
    /** The photos that changed, as they are now. */
    photos: Array<Photo>;
    /** The customers that changed, as they are now, for sessions and keys with `customers:read`. */
    customers: Array<Customer>;
    /** The invoices that changed, as they are now. A payment changes what is paid of them without being a change of theirs. */
    invoices: Array<Invoice>;
    /** The objects that were deleted. */
    removed: Array<RemovedObject>;
    /** The workshop, if its profile, members or plan changed. */
    workshop?: Workshop;
    /** The summaries of orders that show something else, if the query includes them. */
    orderSummaries?: Array<OrderSummary>;
    /** The summaries of estimates that show something else, if the query includes them. */
    estimateSummaries?: Array<EstimateSummary>;
    /** The items of the inbox that are new or show something else, if the query includes them. */
    inbox?: Array<InboxItem>;
    /** The comments on the estimates that were commented on, oldest first, if the query includes them. */
    comments?: Array<CommentOfEstimate>;
  }

  /** The address of a page that the provider hosts, to which the owner is sent. */
  interface CheckoutPage {
    /** The address of the payment provider's page, to which the browser is sent. It is valid for a short time. */
    url: string;
  }

  /** The standing decision of the estimate. It may be about another revision, or this one as another link shows it. `method`: how it was made. */
  interface ClientDecision {
    /** What was decided: `accepted` or `declined`. */
    outcome: "accepted" | "declined";
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** When it was decided. */
    decidedAt: string;
    /** How it was made: `link`, or as a member recorded it: `in_person`, `phone`, `email` or `message`. */
    method: "link" | "in_person" | "phone" | "email" | "message";
    /** The SHA-256 of the canonical JSON of what was decided. Not that of the link, where another one showed it. */
    documentHash: string;
    /** The name that was given. Absent if there is none. */
    name?: string;
    /** The SHA-256 of its PDF. Absent for a decision that a member recorded. */
    pdfHash?: string;
  }

  /** Part of the total, due with the order; `balance` is what then remains. */
  interface ClientDeposit {
    /** The part of the total. Absent if it is a fixed amount. */
    percent?: string;
    /** The amount. */
    amount: string;
    /** What it is: `advance` or `earnest`. Absent from revisions that were confirmed before there were kinds. */
    kind?: "advance" | "earnest";
    /** What then remains. Absent from the same revisions. */
    balance?: string;
  }

  interface ClientEstimate {
    /** The workshop, as the PDF shows it. */
    letterhead: ClientLetterhead;
    /** The language of the document: `en` or `pl`. */
    locale: "pl" | "en";
    /** The name of the estimate. */
    name: string;
    /** The number of the document. Absent if it has none. Default: empty. */
    number?: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** The date of the document. */
    issuedOn: string;
    /** The last day of validity. Absent if none is stated. */
    validUntil?: string;
    /** The client, as the PDF shows it. Absent if the toggles do not show it, or nothing is known. */
    recipient?: ClientRecipient;
    /** The text before the lines. Absent if there is none. Default: empty. */
    intro?: string;
    /** The terms. Absent if there are none. Default: empty. */
    terms?: string;
    /** How long the work takes. Absent if it is not stated. Default: empty. */
    leadTime?: string;
    /** A remark about the tax. Absent if there is none. Default: empty. */
    taxNote?: string;
    /** The currency of all amounts, as a code of ISO 4217. */
    currency: string;
    /** The lines as the PDF shows them; without the breakdown one line with the subtotal. */
    lines: Array<ClientLine>;
    /** The sums as the PDF shows them. */
    sums: ClientSums;
    /** What the document is called: `quotation` or `cost_estimate`. Absent for an estimate. Default: `estimate`. */
    documentTitle?: "estimate" | "quotation" | "cost_estimate";
    /** `unpriced` if the lines have no prices. */
    breakdown?: "full" | "unpriced" | "none";
    /** The sections of the lines. Absent if there are none. Default: `[]`. */
    sections?: Array<ClientSection>;
    /** What the document says about the right of withdrawal. Absent if nothing. Default: empty. */
    withdrawal?: string;
    /** The model form of withdrawal, a line for each of its entries. Absent where no form belongs to the document. Default: empty. */
    withdrawalForm?: string;
    /** What the client asks for by `startEarly`. Absent if the document does not offer it. Default: empty. */
    earlyStart?: string;
    /** The SHA-256 of the canonical JSON of what is shown. An acceptance has to name it. */
    documentHash: string;
    /** The SHA-256 of the PDF. */
    pdfHash: string;
    /** `open`, `accepted`, `declined`, `superseded` or `expired`. */
    state: "open" | "accepted" | "declined" | "superseded" | "expired" | "revoked";
    /** Whether the estimate can be accepted or declined now. */
    canDecide: boolean;
    /** Whether the page shows the Backbench mark. */
    brandMark: boolean;
    /** Whether a receipt of a decision is emailed to the client; of the decision that stands, whether one was. */
    receipt: boolean;
    /** Whether the workshop has an image logo: `GET /client/estimate/logo`. */
    logoImage: boolean;
    /** The sentence to which an acceptance agrees. */
    consent: Consent;
    /** The comments on this link, oldest first. */
    comments: Array<Comment>;
    /** When it can no longer be decided. Absent if it never expires. */
    expiresAt?: string;
    /** The decision about the estimate that stands; it may be about another revision. Absent if there is none. */
    decision?: ClientDecision;
    /** The decision that the workshop voided last. Absent if there is none, and while a decision stands. */
    voidedDecision?: VoidedClientDecision;
    /** What is left of the deposit that the document asks for, once this revision is accepted. Absent without one. */
    payment?: PaymentRequest;
  }

  interface ClientItem {
    /** What it is, in the customer's words. */
    description?: string;
    /** How many pieces there are. */
    pieces?: number;
  }

  interface ClientLetterhead {
    /** The name of the workshop. */
    name: string;
    /** The font of titles. */
    titleFont: "sans" | "serif" | "didone" | "mono" | "rounded";
    /** The emoji of the workshop. Absent if no logo is shown. Default: empty. */
    logo?: string;
    /** The tagline. Absent if there is none. Default: empty. */
    tagline?: string;
    /** The name of the craftsperson. Absent if there is none. Default: empty. */
    crafterName?: string;
    /** The accent colour, as #RRGGBB. Absent if there is none. Default: empty. */
    accentColor?: string;
    /** The address of the workshop; it may have several lines. Absent if there is none. Default: empty. */
    address?: string;
    /** The telephone number. Absent if there is none. Default: empty. */
    phone?: string;
    /** The email address. Absent if there is none. Default: empty. */
    email?: string;
    /** The website. Absent if there is none. Default: empty. */
    website?: string;
    /** The tax id. Absent if there is none. Default: empty. */
    taxId?: string;
    /** The entry in a register. Absent if there is none. Default: empty. */
    registration?: string;
    /** The bank account. Absent if there is none. Default: empty. */
    iban?: string;
    /** The text at the end of the document. Absent if there is none. Default: empty. */
    footer?: string;
    /** The address of the privacy notice. Absent if there is none. Default: empty. */
    privacyUrl?: string;
  }

  /** Without the breakdown there is one line: the name of the estimate and the subtotal; unpriced lines have neither price nor amount. `taxPercent` or `taxKind` is there if the lines have different taxes. */
  interface ClientLine {
    /** What the line item is, such as `Oak table top`. */
    label: string;
    /** The amount of the line. Absent from unpriced lines. */
    amount?: string;
    /** The unit of measure. Absent without the breakdown. */
    unit?: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The quantity. 0 is an option that is not in the sums. Absent without the breakdown. */
    quantity?: string;
    /** The price of one unit, as the PDF shows it. Absent from unpriced lines, and where no price times the quantity is the amount. */
    unitPrice?: string;
    /** The tax rate of the line. Absent unless the lines have different taxes. */
    taxPercent?: string;
    /** The tax of the line where it is no rate. Absent unless the lines have different taxes. */
    taxKind?: "exempt" | "reverse_charge" | "outside";
    /** The amount with its tax, where lines with net prices have different taxes and neither markup nor discount has a row. */
    grossAmount?: string;
  }

  /** Never: notes, condition, serial number, limit, place, assignee, the customer's name and phone, other orders. */
  interface ClientOrder {
    /** The sign of the workshop, and how to reach it. */
    workshop: ClientWorkshop;
    /** The number of the order. */
    number: number;
    /** One line that says what the job is. */
    title: string;
    /** Where the work is: `received`, `waiting`, `in_progress`, `ready` or `collected`. */
    stage: "received" | "waiting" | "in_progress" | "ready" | "collected";
    /** When that stage began. */
    since: string;
    /** The photos that the workshop shares. */
    photos: Array<ClientPhoto>;
    /** The questions of the customer and the answers, oldest first. */
    questions: Array<OrderQuestion>;
    /** The thing itself. Absent if nothing is known of it. */
    item?: ClientItem;
    /** The day on which it is to be ready. */
    dueOn?: string;
    /** The time of that day, as HH:MM. */
    dueTime?: string;
    /** When it became ready. */
    readyAt?: string;
    /** When it was collected. */
    collectedAt?: string;
    /** What the newest link to the estimate shows. Absent without one. */
    estimate?: ClientPrice;
    /** What is due and how to pay it. Absent while no price is agreed that the customer knows. */
    payment?: PaymentRequest;
  }

  interface ClientPhoto {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** What the photo shows: the thing `before`, `during` or `after` the work, or a `detail`. */
    kind: string;
    /** When it was taken; when it arrived, where that is not said. */
    takenAt: string;
    /** The caption. */
    caption?: string;
  }

  /** The revision that the newest link of the estimate shows, with the state of that link. */
  interface ClientPrice {
    /** The total with tax. */
    total: number;
    /** The currency (ISO 4217). */
    currency: string;
    /** The state of the link. */
    state: "open" | "accepted" | "declined" | "superseded" | "expired" | "revoked";
    /** The number of the document. */
    number?: string;
  }

  /** The client. `address` and `siteAddress`, where the work is done, may have several lines. */
  interface ClientRecipient {
    /** The name of the client. Absent if there is none. Default: empty. */
    name?: string;
    /** The address; it may have several lines. Absent if there is none. Default: empty. */
    address?: string;
    /** The tax id. Absent if there is none. Default: empty. */
    taxId?: string;
    /** The email address. Absent if there is none. Default: empty. */
    email?: string;
    /** The telephone number. Absent if there is none. Default: empty. */
    phone?: string;
    /** Where the work is done. Absent if it is not stated. Default: empty. */
    siteAddress?: string;
  }

  /** Markup, discount or tax. The amount of a discount is positive. */
  interface ClientRow {
    /** The percentage. */
    percent: string;
    /** The amount. */
    amount: string;
  }

  /** A heading before the line at position `first`, counted from 0, and the sum of the `lines` from there on. */
  interface ClientSection {
    /** The heading of the section. */
    heading: string;
    /** The position of its first line in `lines`, from 0. */
    first: number;
    /** The number of its lines. */
    lines: number;
    /** The sum of its lines. Absent from unpriced sections. */
    amount?: string;
    /** The sum of the gross amounts of its lines, where they have them. */
    grossAmount?: string;
  }

  /** The sums as the PDF shows them. `taxes` has entries if the lines have different taxes, or one that is no rate; `tax` is then absent. Where `prices` are gross, subtotal, markup and discount add up to the total, which the taxes are part of. */
  interface ClientSums {
    /** The sum of the lines. */
    subtotal: string;
    /** The markup. Absent unless it has a row of its own. */
    markup?: ClientRow;
    /** The discount, as a positive amount. Absent unless it has a row of its own. */
    discount?: ClientRow;
    /** The amount before tax. */
    net: string;
    /** The name of the tax. */
    taxLabel: string;
    /** The tax. Absent without a tax, and with several taxes. */
    tax?: ClientRow;
    /** The taxes by rate, the highest first, then those that are no rate; empty unless the lines have different taxes or one that is no rate. */
    taxes: Array<ClientTax>;
    /** The amount to pay. */
    total: string;
    /** The part of the total that is due when the client orders. Absent if there is none. */
    deposit?: ClientDeposit;
    /** `gross` if lines, subtotal, markup and discount include the tax. Absent if they are net. Default: `net`. */
    prices?: "net" | "gross";
  }

  /** The tax of a rate, or of a kind that is no rate. */
  interface ClientTax {
    /** The rate. Absent if it is no rate. */
    percent?: string;
    /** The kind of tax that is no rate. */
    kind?: "exempt" | "reverse_charge" | "outside";
    /** The part of the net sum that it is due on. */
    net: string;
    /** The amount of the tax. */
    amount: string;
  }

  /** The sign of the workshop, and how to reach it. */
  interface ClientWorkshop {
    /** The name of the workshop. */
    name: string;
    /** The tagline of the workshop. */
    tagline: string;
    /** An emoji. */
    logo: string;
    /** The background of the workshop. */
    background: "paper" | "linen" | "sage" | "mist" | "blush" | "indigo" | "forest" | "plum" | "terracotta" | "charcoal" | "astral" | "ember" | "meadow" | "dusk" | "tide" | "orchid" | "copper" | "aurora" | "dawn" | "cloud";
    /** The font of titles. */
    titleFont: "sans" | "serif" | "didone" | "mono" | "rounded";
    /** The background that replaces it. */
    customBackground?: SolidBackground | GradientBackground;
    /** The accent colour. */
    accentColor?: string;
    /** The phone number of the workshop. */
    phone?: string;
    /** The address of the workshop. */
    address?: string;
    /** When the workshop is open, as text. */
    openingHours?: string;
  }

  interface Comment {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** When the object was created. */
    createdAt: string;
    /** Who wrote it: `client` or `workshop`. */
    author: "client" | "workshop";
    /** The name that the client entered, or that of the member. */
    name: string;
    /** The comment. It may have several lines. */
    text: string;
  }

  interface CommentOfEstimate {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** When the object was created. */
    createdAt: string;
    /** The id of the link that it was written on. */
    linkId: string;
    /** Who wrote it: `client` or `workshop`. */
    author: "client" | "workshop";
    /** The name that the client entered, or that of the member. */
    name: string;
    /** The comment. It may have several lines. */
    text: string;
    /** The `uid` of the member who wrote it. Absent for a comment of the client. */
    authorUid?: string;
    /** The id of the estimate. */
    estimateId: string;
  }

  interface CommentsList {
    /** The comments, newest first. */
    comments: Array<EstimateComment>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  interface Consent {
    /** The id of the sentence. Its text never changes. */
    id: string;
    /** The sentence, in the language of the document. */
    text: string;
  }

  interface ContextEdit {
    /** The notes, which replace the present ones: at most 4,000 UTF-16 code units after surrounding white space is removed. An empty text clears them. */
    notes: string;
  }

  /** The invoice that is corrected, its sums before, and what the correction adds to them; negative is given back. */
  interface Corrected {
    /** The id of the invoice that is corrected. */
    invoiceId: string;
    /** Its number. */
    number: string;
    /** Why it is corrected. */
    reason: string;
    /** Its day of issue. */
    issueDate: string;
    /** What kind of invoice it is. */
    kind: "invoice" | "advance" | "final" | "correction";
    /** Its sums before this correction, earlier ones included. */
    before: CorrectionSums;
    /** What this correction adds to them; negative where something is given back. */
    difference: CorrectionSums;
  }

  interface CorrectionSums {
    /** The net sum. */
    net: number;
    /** The sum of the taxes. */
    tax: number;
    /** The sum with tax. */
    total: number;
    /** The tax of each rate and kind. */
    taxes: Array<TaxAmount>;
  }

  /** How many, and the sum of their amounts in each currency. */
  interface CountedSums {
    /** How many there are. */
    count: number;
    /** The sum of their amounts in each currency. */
    sums: Array<AmountDue>;
  }

  interface CraftWords {
    /** The slug of the domain in the catalog. */
    domainSlug: string;
    /** What is usually brought. */
    things: Array<LocalizedText>;
    /** Words for the condition of it. */
    conditions: Array<LocalizedText>;
    /** The photos to take. */
    photos: Array<LocalizedText>;
  }

  interface Credentials {
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
    /** The password of the account. */
    password: string;
  }

  /** The API key that a request was sent with, and the workshops in which it may act. */
  interface CurrentApiKey {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The name by which its owner recognizes the key. */
    name: string;
    /** What the key may do: the security scheme `apiKey` lists the areas that each opens. Writing does not include reading. */
    scopes: Array<"orders:read" | "orders:write" | "estimates:read" | "estimates:write" | "customers:read" | "customers:write" | "payments:read" | "payments:write" | "invoices:read" | "invoices:write" | "files:read" | "files:write" | "drafts:write">;
    /** The workshops in which the key may act at present, newest first. */
    workshops: Array<ApiKeyWorkshop>;
    /** When it stops being valid. Absent for an API key that does not expire. */
    expiresAt?: string;
  }

  /** The record of a customer. `duplicates`: records of the workshop with the same phone, email address or tax id. */
  interface Customer {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** The name of the person or company. */
    name: string;
    /** Whether it is a `person` or a `company`. */
    kind: "person" | "company";
    /** The phone numbers, at most 5; documents show the first. */
    phones: Array<CustomerPhone>;
    /** The email addresses, at most 5; documents show the first. */
    emails: Array<string>;
    /** Free text about the customer; documents do not show it. */
    notes: string;
    /** When the object was created. */
    createdAt: string;
    /** When the object was last changed. */
    updatedAt: string;
    /** The postal address, on several lines. */
    address?: string;
    /** Where work is done, on several lines. */
    siteAddress?: string;
    /** The tax number, such as a NIP. */
    taxId?: string;
    /** The language of documents and messages for the customer: `en` (English) or `pl` (Polish). */
    locale?: "pl" | "en";
    /** The ids of customers with the same phone (E.164), email address or tax id. Absent in lists, and if there are none. */
    duplicates?: Array<string>;
  }

  /** `merged`: the records of the same customer that were merged into this one and are still kept. */
  interface CustomerData {
    /** The record. */
    customer: Customer;
    /** Records that were merged into it and are still kept. */
    merged: Array<Customer>;
    /** Its orders. */
    orders: Array<CustomerOrder>;
    /** Its estimates. */
    estimates: Array<CustomerEstimate>;
  }

  /** null clears a member, an absent member is unchanged. Lists are replaced as a whole. */
  interface CustomerEdit {
    /** The name of the person or company. */
    name?: string;
    /** Whether it is a `person` or a `company`. */
    kind?: "person" | "company";
    /** The phone numbers, at most 5; documents show the first. */
    phones?: Array<NewPhone> | null;
    /** The email addresses, at most 5; documents show the first. */
    emails?: Array<string> | null;
    /** Free text about the customer; documents do not show it. */
    notes?: string | null;
    /** The postal address, on several lines. */
    address?: string | null;
    /** Where work is done, on several lines. */
    siteAddress?: string | null;
    /** The tax number, such as a NIP. */
    taxId?: string | null;
    /** The language of documents and messages for the customer: `en` (English) or `pl` (Polish). */
    locale?: "pl" | "en" | null;
  }

  interface CustomerEstimate {
    /** The estimate as it is now. */
    estimate: Estimate;
    /** Its document facts. */
    document: DocumentFacts;
    /** Its revisions, with what their documents say about the recipient. */
    revisions: Array<CustomerRevision>;
    /** Its hand-offs. */
    handoffs: Array<Handoff>;
    /** How it was shared: links, decisions and comments. */
    sharing: ExportedSharing;
  }

  interface CustomerHistory {
    /** The entries, newest first. */
    entries: Array<HistoryEntry>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** `fromId`: the record that is to be, or was, merged into that of the path. */
  interface CustomerMerge {
    /** The id of the other customer. */
    fromId: string;
  }

  interface CustomerOrder {
    /** The order. */
    order: Order;
    /** The details of the order. */
    details: OrderDetails;
    /** Questions and answers on its status page. */
    questions: Array<OrderQuestion>;
    /** What the customer has been informed of. */
    notices: Array<Notice>;
    /** The payments for it, voided ones included. */
    payments: Array<Payment>;
    /** Its invoices, drafts and corrections included. */
    invoices: Array<Invoice>;
    /** Its photos; the images are not in here. */
    photos: Array<Photo>;
    /** What the customer signed at the counter. Absent where nobody signed. */
    signature?: OrderSignature;
  }

  /** `number` is as it was typed. `e164` is absent where it cannot be read as a number of a country. */
  interface CustomerPhone {
    /** The number as it was typed. */
    number: string;
    /** What the number is, such as `mobile`. */
    label?: string;
    /** The number in E.164, such as `+48600100200`. Absent if it cannot be read with the country of the workshop. */
    e164?: string;
  }

  /** A revision, with what its documents say about the recipient. */
  interface CustomerRevision {
    /** The revision. */
    revision: EstimateRevision;
    /** The recipient on its documents. */
    recipientName: string;
    /** The document facts that it was confirmed with, with the texts of the customer's record. */
    document: DocumentFacts;
  }

  interface CustomersList {
    /** The customers, by name. */
    customers: Array<Customer>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  interface Decided {
    /** How many were accepted. */
    accepted: number;
    /** How many were declined. */
    declined: number;
  }

  /** `linkAddress`: the address of the link that was used, of a decision through a link. */
  interface Decision {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the estimate. */
    estimateId: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** What the client decided: `accepted` or `declined`. */
    outcome: "accepted" | "declined";
    /** How the client decided: `link`, or as a member recorded it: `in_person`, `phone`, `email` or `message`. */
    method: "link" | "in_person" | "phone" | "email" | "message";
    /** When the client decided. */
    decidedAt: string;
    /** When the decision was stored. */
    recordedAt: string;
    /** The SHA-256 of the canonical JSON of what the decision is about, as 64 hexadecimal digits. */
    documentHash: string;
    /** The name of the client. Absent if a client declined without one. */
    name?: string;
    /** Why the client declined. Absent if no reason was given. */
    reason?: string;
    /** The id of the link. Absent for a decision that a member recorded. */
    linkId?: string;
    /** The address of the link that was used. Absent for a decision that a member recorded. */
    linkAddress?: LinkAddress;
    /** The `uid` of the member who recorded it. Absent for a decision with a link. */
    recordedByUid?: string;
    /** The SHA-256 of the PDF of the link. Absent for a decision that a member recorded. */
    pdfHash?: string;
    /** How the client signed: `typed` (the name is the signature) or `drawn`. Absent unless accepted with a link. */
    signature?: "typed" | "drawn";
    /** The sentence that the client agreed to. Absent unless accepted with a link. */
    consent?: string;
    /** That the decision no longer stands. Absent while it stands. */
    voided?: Voiding;
  }

  /** A decision with everything that is stored about it, in exports. `signedInUid`: the member who was signed in, in the browser from which it came. `receiptEmail`: where the client's receipt was sent. Names are those of the moment of the decision and of voiding it. */
  interface DecisionEvidence {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the estimate. */
    estimateId: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** What the client decided: `accepted` or `declined`. */
    outcome: "accepted" | "declined";
    /** How the client decided: `link`, or as a member recorded it: `in_person`, `phone`, `email` or `message`. */
    method: "link" | "in_person" | "phone" | "email" | "message";
    /** When the client decided. */
    decidedAt: string;
    /** When the decision was stored. */
    recordedAt: string;
    /** The SHA-256 of the canonical JSON of what the decision is about, as 64 hexadecimal digits. */
    documentHash: string;
    /** The name of the client. Absent if a client declined without one. */
    name?: string;
    /** Why the client declined. Absent if no reason was given. */
    reason?: string;
    /** The id of the link. Absent for a decision that a member recorded. */
    linkId?: string;
    /** The address of the link that was used. Absent for a decision that a member recorded. */
    linkAddress?: LinkAddress;
    /** The `uid` of the member who recorded it. Absent for a decision with a link. */
    recordedByUid?: string;
    /** The SHA-256 of the PDF of the link. Absent for a decision that a member recorded. */
    pdfHash?: string;
    /** How the client signed: `typed` (the name is the signature) or `drawn`. Absent unless accepted with a link. */
    signature?: "typed" | "drawn";
    /** The sentence that the client agreed to. Absent unless accepted with a link. */
    consent?: string;
    /** That the decision no longer stands. Absent while it stands. */
    voided?: Voiding;
    /** The canonical JSON that was hashed. */
    document: string;
    /** The strokes of a drawn signature: lists of points [x, y], with y downwards. Absent for a typed one. */
    strokes?: Array<Array<Array<number>>>;
    /** The id of the sentence that the client agreed to. */
    consentId?: string;
    /** The network address of the client; the /64 network of an IPv6 address. Absent for a decision that a member recorded. */
    address?: string;
    /** What the client's browser calls itself. Absent for a decision that a member recorded. */
    userAgent?: string;
    /** How often the page had been opened when the client decided. */
    openings?: Openings;
    /** The `uid` of a member who was signed in, in the browser from which the decision came. Absent otherwise. */
    signedInUid?: string;
    /** Where the receipt of the client was sent. Absent if no address was known, the server has no mail server, or too many emails were sent. */
    receiptEmail?: string;
    /** The name of the member who recorded it, at that time. Absent for a decision with a link. */
    recordedByName?: string;
    /** The name of the member who voided it, at that time. Absent while it stands. */
    voidedByName?: string;
  }

  interface DecisionsList {
    /** The decisions, newest first. */
    decisions: Array<Decision>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  interface DeliveriesList {
    /** The deliveries, newest first. */
    deliveries: Array<Delivery>;
  }

  interface Delivery {
    /** The id of the delivery. */
    id: string;
    /** The type of the event. */
    event: string;
    /** How often it was sent. */
    attempts: number;
    /** `pending`, `delivered`, or `failed` after ten attempts. */
    status: "pending" | "delivered" | "failed";
    /** The status of the last response. Absent if there was none. */
    responseStatus?: number;
    /** When it is sent again. Absent unless it is pending. */
    nextAttemptAt?: string;
  }

  /** What the document asks for with the order, and the sum of the deposits that were paid. */
  interface Deposit {
    /** The amount of the deposit. */
    amount: number;
    /** The sum of the payments of kind `deposit` that stand. */
    paid: number;
    /** The percentage of the total that it is. Absent for a fixed amount. */
    percent?: number;
  }

  /** What is absent comes from the document settings, and `number` from the series of the workshop. `lineTaxes` are taxes by line id, for lines that do not have that of the estimate, and `sections` the headings before lines. Ids that no line of the estimate has are ignored. A `taxPercent` without `taxKind` is a rate. Texts of the recipient that are absent are those of the customer, until a confirmation. */
  interface DocumentFacts {
    /** The number of the document. Default: the next one of the workshop's series, given at the first confirmation. */
    number?: string;
    /** The client's address. */
    recipientAddress?: string;
    /** The client's tax number. */
    recipientTaxId?: string;
    /** The client's email address. */
    recipientEmail?: string;
    /** The client's telephone number. */
    recipientPhone?: string;
    /** Where the work is done. */
    siteAddress?: string;
    /** A text above the table of lines. */
    intro?: string;
    /** The terms of this estimate. Default: those of the document settings. */
    terms?: string;
    /** When the work will be done. */
    leadTime?: string;
    /** A note about the tax, such as the reason for an exemption. */
    taxNote?: string;
    /** The tax rate of the lines. Default: that of the document settings. At most 4 decimals. */
    taxPercent?: number;
    /** What the tax is called. Default: as in the document settings. */
    taxLabel?: string;
    /** The taxes, by line item id, of lines with another tax: a rate in percent, `exempt`, `reverse_charge` or `outside`. Ids that no line has are ignored. */
    lineTaxes?: { [key: string]: number | "exempt" | "reverse_charge" | "outside" };
    /** The part of the total that is due when the client orders, in percent. At most 4 decimals. */
    depositPercent?: number;
    /** For how many days after its confirmation the estimate is valid; 0 states no validity. Default: as in the document settings. */
    validDays?: number;
    /** The kind of tax. Default: `rate` with a `taxPercent` here, else that of the document settings. */
    taxKind?: "rate" | "exempt" | "reverse_charge" | "outside";
    /** The deposit as an amount, of which at most the total is due. Not with `depositPercent`. */
    depositAmount?: number;
    /** What the deposit is: `advance` or `earnest`. Default: as in the document settings. */
    depositKind?: "advance" | "earnest";
    /** Whether the document shows `net` or `gross` prices. Default: as in the document settings. Prices that are entered `gross` are always shown `gross`. */
    pricesShown?: "net" | "gross";
    /** What the document is called. Default: as in the document settings. */
    documentTitle?: "estimate" | "quotation" | "cost_estimate";
    /** The lines: `full`, `unpriced` or `none`. Default: `full`. The toggle of the same name turns them off. */
    breakdown?: "full" | "unpriced" | "none";
    /** Headings, by the id of the line item that they are before. Ids that no line has are ignored. */
    sections?: { [key: string]: string };
    /** What the document says about the right of withdrawal. Default: as in the document settings, and `none` where the recipient has a tax id. */
    withdrawal?: "none" | "bespoke" | "fourteen_days" | "start_early";
    /** What the unit prices of the line items are: `net`, or `gross` (with their tax). In responses it is present where they are `gross`; in a request, absent leaves it as it is. Changing it changes no line item. */
    pricesEntered?: "net" | "gross";
    /** The id of the customer. Until a confirmation, texts of the recipient that are absent here are those of the customer's record. */
    customerId?: string;
  }

  /** Without `taxPercent` no tax is shown, unless `taxKind` is no rate. Without `taxLabel` it has the usual name of the locale. `validDays` is how long an estimate is valid: 30 days if it is absent. With 0 no validity is stated. `tagline`, `terms` and `taxLabel` are one text for documents in both languages, or one for each. `taxKind`, `pricesShown`, `documentTitle`, `depositKind` and `withdrawal` are those of estimates without their own. A new estimate gets a copy of `pricesEntered`: its prices keep their meaning when the settings change. */
  interface DocumentSettings {
    /** The currency of all prices and totals, as ISO 4217 code, such as `EUR`. */
    currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
    /** The address of the workshop on PDFs. It may have several lines. Default: empty. */
    address?: string;
    /** The telephone number on PDFs and in messages. Default: empty. */
    phone?: string;
    /** The email address on PDFs and in messages. It need not be that of an account. Default: empty. */
    email?: string;
    /** The tax number on PDFs. Default: empty. */
    taxId?: string;
    /** A text below the terms. It may have several lines. Default: empty. */
    footer?: string;
    /** The tax that is added to the net amount, in percent. Absent if no tax is shown. At most 4 decimals. */
    taxPercent?: number;
    /** What the tax is called. Default: `VAT`, as it is usual in the language of the document. */
    taxLabel?: string | LocalizedLine;
    /** For how many days after its confirmation an estimate is valid; 0 states no validity. Default: 30. */
    validDays?: number;
    /** The bank account on PDFs, and in payment codes. Its check digits are checked. */
    iban?: string;
    /** An entry in a register, such as a REGON or company number, on PDFs. */
    registration?: string;
    /** The address of the website on PDFs. */
    website?: string;
    /** The line below the name on PDFs. Default: the `tagline` of the workshop. */
    tagline?: string | LocalizedLine;
    /** The terms on PDFs, unless the estimate has its own. */
    terms?: string | LocalizedLines;
    /** The time zone whose dates documents show, as a name of the IANA database. Always present in responses. Default: `Europe/Warsaw` if the workshop's owner uses Polish, otherwise `Europe/Dublin`. */
    timeZone?: string;
    /** The paper size of PDFs: `A4` or `Letter`. Default: `A4`. */
    paperSize?: "A4" | "Letter";
    /** The id of an image of the workshop, of the category `grid_tile_icon`, that PDFs show in place of the emoji. */
    logoFileId?: string;
    /** Whether PDFs show a logo, image or emoji. Default: `true`. */
    showLogo?: boolean;
    /** When the workshop is open, as text; shown on status pages and slips. */
    openingHours?: string;
    /** The kind of tax of estimates without their own: `rate` (that of `taxPercent`), `exempt`, `reverse_charge`, or `outside` the scope of the tax. Default: `rate`. */
    taxKind?: "rate" | "exempt" | "reverse_charge" | "outside";
    /** Whether documents show `net` or `gross` prices. Default: `net`. Prices that are entered `gross` are always shown `gross`. */
    pricesShown?: "net" | "gross";
    /** What documents are called: `estimate`, `quotation` or `cost_estimate`. Default: `estimate`. */
    documentTitle?: "estimate" | "quotation" | "cost_estimate";
    /** What a deposit is: `advance` or `earnest`. Default: `advance`. */
    depositKind?: "advance" | "earnest";
    /** What documents say about a consumer's right of withdrawal: `none`, `bespoke` (made to specification, no right), `fourteen_days`, or `start_early` (14 days, and the client may ask for an early start). Default: `none`. */
    withdrawal?: "none" | "bespoke" | "fourteen_days" | "start_early";
    /** The address of the workshop's privacy notice, with https. */
    privacyUrl?: string;
    /** An https address at which customers pay. The placeholders amount, currency and number (of the order), each in braces, are filled in. */
    paymentLink?: string;
    /** The country as ISO 3166 code, such as `PL`. Phone numbers without a country code are read as its numbers. Default: none, or Poland if the currency is PLN. */
    country?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
    /** What the prices of tiles and of new estimates are: `net`, or `gross` (with their tax). An estimate keeps the meaning that its prices had when it was created. Default: `net`. */
    pricesEntered?: "net" | "gross";
    /** Whether the app keeps a person whose name is typed for a new order as a customer, unless it is told otherwise. Absent if not. */
    keepCustomers?: boolean;
    /** What slips say to a customer who leaves something, of storage for instance. Several lines are allowed. */
    slipTerms?: string;
    /** The patterns of the numbers of invoices: texts with the words n and year, each in braces, and with month for series of a month. Those of two kinds differ. */
    invoiceNumbers?: InvoiceNumbers;
    /** In how many days after its day of issue an invoice is to be paid. 14 if absent. */
    paymentDays?: number;
    /** Why sales without tax are exempt, for invoices: the article of the law. */
    exemptReason?: string;
  }

  /** `aiDrafted`: whether a language model wrote the message; if false, the built-in template did. `revisionNumber`: the revision whose figures it states; 0 if they are those of the unconfirmed estimate. */
  interface DraftedMessage {
    /** The subject of an email, in one line. */
    subject: string;
    /** The text of the message, as plain text. */
    body: string;
    /** Whether a language model wrote the message text; false for the built-in template and for text that a person wrote. */
    aiDrafted: boolean;
    /** The revision whose figures the message states; 0 if they are those of the unconfirmed estimate. */
    revisionNumber: number;
  }

  /** A row with a phone, email address or tax id of a customer who has another name: both may be one. */
  interface Duplicate {
    /** The number of the row in the file. */
    row: number;
    /** The customer that exists. */
    customerId: string;
  }

  interface EmojiEntry {
    /** The emoji that the button or entry shows: one of the curated set of `listEmoji`. */
    emoji: string;
    /** What the emoji shows, in both languages. */
    name: LocalizedText;
    /** The group in which a picker shows the emoji. */
    group: string;
  }

  interface EmojiKeywords {
    /** The emoji that the button or entry shows: one of the curated set of `listEmoji`. */
    emoji: string;
    /** Words to find the emoji by, besides its name. A few emoji have none. */
    keywords: LocalizedKeywords;
  }

  interface EmojiSet {
    /** Every emoji that a button or logo can show. */
    emoji: Array<EmojiEntry>;
  }

  interface Erasure {
    /** What is still stored about the person. */
    kept: Array<KeptObject>;
  }

  interface Estimate {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** The name of the estimate, shown on the PDF. */
    name: string;
    /** The percentage that is added to the sum of the line items; 0 is none. At most 4 decimals. */
    markupPercent: number;
    /** The percentage that is subtracted from the sum of the line items with markup; 0 is none. At most 4 decimals. */
    discountPercent: number;
    /** When the object was created. */
    createdAt: string;
    /** When the object was last changed. */
    updatedAt: string;
    /** The line items, in the order in which they are shown. */
    lineItems: Array<LineItem>;
    /** The client for whom the estimate is made, as shown on the PDF. Absent if there is none. */
    recipientName?: string;
  }

  /** A comment as members see it. */
  interface EstimateComment {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** When the object was created. */
    createdAt: string;
    /** The id of the link that it was written on. */
    linkId: string;
    /** Who wrote it: `client` or `workshop`. */
    author: "client" | "workshop";
    /** The name that the client entered, or that of the member. */
    name: string;
    /** The comment. It may have several lines. */
    text: string;
    /** The `uid` of the member who wrote it. Absent for a comment of the client. */
    authorUid?: string;
  }

  interface EstimateConfirmation {
    /** The estimate that was confirmed. */
    estimate: Estimate;
    /** The new revision. */
    revision: EstimateRevision;
  }

  interface EstimateEdit {
    /** The name of the estimate, shown on the PDF. */
    name?: string;
    /** The client for whom the estimate is made. Null removes the name. */
    recipientName?: string | null;
    /** The percentage that is added to the sum of the line items; 0 is none. At most 4 decimals. */
    markupPercent?: number;
    /** The percentage that is subtracted from the sum of the line items with markup; 0 is none. At most 4 decimals. */
    discountPercent?: number;
    /** The new line items, which replace the whole list. Ids are unique in the list. */
    lineItems?: Array<NewLineItem>;
  }

  interface EstimateRevision {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** When the estimate was confirmed. */
    createdAt: string;
    /** The `uid` of the account that created it. */
    createdByUid: string;
    /** The name of the estimate, shown on the PDF. */
    name: string;
    /** The percentage that is added to the sum of the line items; 0 is none. At most 4 decimals. */
    markupPercent: number;
    /** The percentage that is subtracted from the sum of the line items with markup; 0 is none. At most 4 decimals. */
    discountPercent: number;
    /** The line items as they were when the estimate was confirmed. */
    lineItems: Array<LineItem>;
  }

  interface EstimateRevisionsList {
    /** The revisions, newest first. */
    revisions: Array<EstimateRevision>;
  }

  interface EstimateSummariesList {
    /** The summaries, the latest changed estimate first. */
    summaries: Array<EstimateSummary>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** `total` is in the present currency of the workshop, that of the revision in the currency it was confirmed in. */
  interface EstimateSummary {
    /** The id of the estimate. */
    estimateId: string;
    /** The name of the estimate. */
    name: string;
    /** The client for whom the estimate is made, as shown on the PDF. Absent if there is none. */
    recipientName?: string;
    /** The number of the document. Absent if it has none. */
    number?: string;
    /** The number of line items. */
    lines: number;
    /** The currency of all amounts, as ISO 4217 code, such as `EUR`. */
    currency: string;
    /** The amount to pay, with the present currency and tax of the workshop. */
    total: number;
    /** When the object was last changed. */
    updatedAt: string;
    /** `draft`: never confirmed. `confirmed`: as the latest revision. `changed`: different from the latest revision. */
    state: "draft" | "confirmed" | "changed";
    /** The revision with the highest number. Absent if there is none. */
    latestRevision?: SummarizedRevision;
    /** The latest hand-off. Absent if there is none. */
    lastHandoff?: SummarizedHandoff;
    /** The id of the latest PDF export. Absent if there is none. */
    lastPdfExportId?: string;
    /** The id of the latest order that was created from the estimate. Absent if there is none. */
    orderId?: string;
    /** The decision of the client that stands. Absent if there is none. */
    decision?: SummarizedDecision;
    /** When the latest revision was handed over or shared last. Absent if it was not. */
    sentAt?: string;
    /** When the client opened it last. Absent if nobody has. */
    openedAt?: string;
  }

  interface EstimatesList {
    /** The estimates, newest first. */
    estimates: Array<Estimate>;
  }

  interface ExportedEstimate {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** The name of the estimate, shown on the PDF. */
    name: string;
    /** The percentage that is added to the sum of the line items; 0 is none. At most 4 decimals. */
    markupPercent: number;
    /** The percentage that is subtracted from the sum of the line items with markup; 0 is none. At most 4 decimals. */
    discountPercent: number;
    /** When the object was created. */
    createdAt: string;
    /** When the object was last changed. */
    updatedAt: string;
    /** The line items, in the order in which they are shown. */
    lineItems: Array<LineItem>;
    /** The confirmed revisions of the estimate. */
    revisions: Array<EstimateRevision>;
    /** The client for whom the estimate is made, as shown on the PDF. Absent if there is none. */
    recipientName?: string;
  }

  /** A link with what it shows, as canonical JSON. Tokens are not stored, and so not exported. */
  interface ExportedLink {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the estimate. */
    estimateId: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** The language of the PDF and of the page: `en` or `pl`. */
    locale: "pl" | "en";
    /** Which parts of the estimate the PDF shows. */
    toggles: PdfExportOptions;
    /** Whether the client may accept or decline, and not only read. */
    canDecide: boolean;
    /** `open`; `accepted` or `declined` by a decision about its revision; `superseded` by a newer revision; `expired`; or `revoked`. */
    state: "open" | "accepted" | "declined" | "superseded" | "expired" | "revoked";
    /** The SHA-256 of the canonical JSON of what the link shows, as 64 hexadecimal digits. */
    documentHash: string;
    /** When the object was created. */
    createdAt: string;
    /** The `uid` of the account that created it. */
    createdByUid: string;
    /** How often the client opened the page. */
    openings: Openings;
    /** The id of the PDF export that the client sees. Absent once it was deleted after the link was revoked. */
    pdfExportId?: string;
    /** When the link can no longer be decided. It can still be read. Absent if it never expires. */
    expiresAt?: string;
    /** When the link was revoked. Absent if it was not. */
    revokedAt?: string;
    /** The addresses of the link, oldest first, without their tokens. In lists only. */
    addresses?: Array<LinkAddress>;
    /** The SHA-256 of the PDF, as 64 hexadecimal digits. */
    pdfHash: string;
    /** The canonical JSON of what the link shows. */
    document: string;
    /** The address to which the client's receipt goes. Null if none is known. */
    receiptEmail: string | null;
  }

  interface ExportedSharing {
    /** Every link, revoked ones included. */
    links: Array<ExportedLink>;
    /** Every decision with its evidence, voided ones included. */
    decisions: Array<DecisionEvidence>;
    /** Every comment of clients and members. */
    comments: Array<EstimateComment>;
  }

  interface ExportedWorkshop {
    /** The stored record of the workshop. */
    workshop: ExportedWorkshopRecord;
    /** The grids of the workshop. */
    grids: Array<Grid>;
    /** The estimates of the workshop, with their revisions. */
    estimates: Array<ExportedEstimate>;
    /** The orders of the workshop. */
    orders: Array<Order>;
  }

  /** The stored record with the plan in effect. Ids of the payment provider are for owners. */
  interface ExportedWorkshopRecord {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The name of the workshop, shown on PDFs. */
    name: string;
    /** A short line about the workshop, shown with its name. */
    tagline: string;
    /** The emoji that represents the workshop: one of the curated set of `listEmoji`. */
    logo: string;
    /** The name of the craftsperson, with which messages are signed. */
    crafterName: string;
    /** A text from which a client can draw the same avatar of the craftsperson every time. */
    crafterAvatarSeed: string;
    /** The preset background of the workshop's pages. */
    background: "paper" | "linen" | "sage" | "mist" | "blush" | "indigo" | "forest" | "plum" | "terracotta" | "charcoal" | "astral" | "ember" | "meadow" | "dusk" | "tide" | "orchid" | "copper" | "aurora" | "dawn" | "cloud";
    /** The typeface of titles. */
    titleFont: "sans" | "serif" | "didone" | "mono" | "rounded";
    /** The stored plan of the workshop, even if it has expired: `free` or `pro`. */
    plan: "free" | "pro";
    /** When a time-limited `pro` plan ends: a trial or the paid period of a subscription. Null for `free` and for a plan without end. */
    planExpiresAt: string | null;
    /** Where the `pro` plan comes from: `grant` (given by the host), `trial` or `subscription`. Null for `free`. */
    planSource: "grant" | "trial" | "subscription" | null;
    /** Whether this is the workshop that was created with the account. */
    isDefault: boolean;
    /** When the object was created. */
    createdAt: string;
    /** Whether the subscription is canceled and ends with its paid period. */
    billingCancelAtPeriodEnd: boolean;
    /** When the notes were last summarized by the language model; counted by its rate limit. */
    contextSynthesisAttempts: Array<string>;
    /** When messages were last drafted by the language model; counted by its rate limit. */
    messageDraftAttempts: Array<string>;
    /** A background of one colour or of a gradient, instead of `background`. Null or absent if there is none. */
    customBackground?: SolidBackground | GradientBackground | null;
    /** The colour of accents. Null or absent if the usual one is used. */
    accentColor?: string | null;
    /** The notes about the workshop. Absent if there are none. */
    context?: WorkshopContext;
    /** What the language model made of the notes. Absent if it has not been asked. */
    contextDerived?: WorkshopContextDerived;
    /** The id of the workshop's customer at the payment provider. */
    billingCustomerId?: string;
    /** The id of the subscription at the payment provider. */
    billingSubscriptionId?: string | null;
  }

  /** One validation error of a request. `pointer` is a JSON Pointer; "" is the whole body. */
  interface FieldError {
    /** The JSON Pointer of the invalid member, such as `/lineItems/3/quantity`; empty for the whole body. The name of a query parameter or header follows the slash in the same way. */
    pointer: string;
    /** What is wrong with it, for programs, such as `too_long`. */
    code: string;
    /** What is wrong with it, for people. */
    detail: string;
  }

  interface FileRecord {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** Whether the file belongs to an `estimate` (a generated PDF) or to the `workshop` (an upload). */
    scope: "estimate" | "workshop";
    /** The id of that estimate or workshop. */
    scopeId: string;
    /** What the file is for: `grid_tile_icon` (an image of at most 524,288 bytes and 4,096 pixels a side) or `estimate_pdf` (a PDF). */
    category: "grid_tile_icon" | "estimate_pdf";
    /** The media type that was detected from the content. */
    contentType: string;
    /** The size in bytes. */
    sizeBytes: number;
    /** The `uid` of the account that uploaded or generated the file. */
    uploadedByUid: string;
    /** When the object was created. */
    createdAt: string;
    /** The name of the file as it was uploaded, without characters that file systems do not allow. */
    name?: string;
    /** The id of the estimate; only for files that belong to one. */
    estimateId?: string;
  }

  interface FilesList {
    /** The files, newest first. */
    files: Array<FileRecord>;
  }

  interface GradientBackground {
    /** `solid` (one colour) or `gradient`. */
    kind: "gradient";
    /** The colour at the start. */
    from: string;
    /** The colour at the end. */
    to: string;
    /** The direction of the gradient in degrees, as in CSS: 0 is upwards, 90 to the right. */
    angle: number;
  }

  interface Grid {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** The name of the grid. */
    name: string;
    /** How large the buttons show their icons. */
    iconSize: "small" | "medium" | "large";
    /** When the object was created. */
    createdAt: string;
    /** When the object was last changed. */
    updatedAt: string;
    /** The buttons, in the order in which they are shown. */
    buttons: Array<GridButton>;
  }

  interface GridButton {
    /** The id of the button, unique in its grid. */
    id: string;
    /** The emoji that the button or entry shows: one of the curated set of `listEmoji`. */
    emoji: string;
    /** The label of the button and of the line item that it adds. */
    label: string;
    /** The unit of measure of the quantity: `sqm` (square metres), `linear_m` (metres of length), `piece`, `pair`, `hour`, `job` (a lump sum), or `freeform` (any other; the label says which). */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The price of one unit, before markup and discount, in the currency of the workshop's document settings: without tax, or with it where `pricesEntered` of the estimate's document (of a tile: of the document settings) is `gross`. At most 4 decimals. */
    unitPrice: number;
    /** The colour of the button. Absent if it has no colour of its own. */
    backgroundColor?: string;
    /** The id of an uploaded file of category `grid_tile_icon`, shown instead of the emoji. */
    iconFileId?: string;
  }

  /** `buttons` replaces the list. */
  interface GridEdit {
    /** The name of the grid. */
    name?: string;
    /** How large the buttons show their icons. */
    iconSize?: "small" | "medium" | "large";
    /** The new buttons, which replace the whole list. Ids are unique in the list. */
    buttons?: Array<NewGridButton>;
  }

  interface GridOrder {
    /** The ids of all grids of the workshop, in their new order. */
    gridIds: Array<string>;
  }

  /** A grid for one kind of job: the items that belong on one screen. */
  interface GridTemplate {
    /** The public name in addresses and references. It never changes. */
    slug: string;
    /** The `slug` of the craft that the template is for. */
    domainSlug: string;
    /** The name of the template in both languages. */
    name: LocalizedText;
    /** What the template contains, in both languages. */
    description: LocalizedText;
    /** The ids of the items, in the order of the buttons. */
    itemIds: Array<string>;
  }

  interface GridsList {
    /** The grids in their order. */
    grids: Array<Grid>;
  }

  interface Handoff {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** How the estimate was handed over: `message-copied`, `message-shared`, `pdf-shared`, `pdf-and-message-shared` or `email-opened`. It is stored unchecked. */
    kind: "message-copied" | "message-shared" | "pdf-shared" | "pdf-and-message-shared" | "email-opened";
    /** The language of the document or message for the client: `en` or `pl`. */
    locale: "pl" | "en";
    /** Whether the estimate was presented as preliminary, that is not binding yet. */
    preliminary: boolean;
    /** The tone of the message: `formal` or `friendly`. */
    tone: "formal" | "friendly";
    /** Whether a language model wrote the message text; false for the built-in template and for text that a person wrote. */
    aiDrafted: boolean;
    /** The number of the estimate's latest revision at the time; 0 if it had none. */
    revisionNumber: number;
    /** When the hand-off was recorded. */
    createdAt: string;
    /** The `uid` of the account that recorded the hand-off. */
    createdByUid: string;
    /** The id of the PDF export that was handed over. Absent if there was none. */
    pdfExportId?: string;
  }

  interface HandoffsList {
    /** The hand-offs, newest first. */
    handoffs: Array<Handoff>;
  }

  /** `state`: the stage of an order, the state of an estimate, the outcome of a decision or `voided`, or the kind of a notice or payment, `voided` for a void one. `amount`: what was agreed for an order, the total of an estimate as it stands, or of the decided revision, or what was paid. */
  interface HistoryEntry {
    /** What it is: `order`, `estimate`, `decision`, `payment` or `notice`. */
    kind: "order" | "estimate" | "decision" | "payment" | "notice";
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** When an order or estimate was created, a decision made, or the customer informed. */
    at: string;
    /** The title of the order, or the name of the estimate. */
    title: string;
    /** What was agreed for an order, the total of an estimate as it stands, or that of the decided revision. */
    amount?: number;
    /** The currency of `amount`. */
    currency?: string;
    /** The stage of an order, the state of an estimate, the outcome of a decision or `voided`, or the kind of a notice or payment. */
    state?: string;
  }

  /** A file, what its columns are taken for, and what came of it. `rows` is their number; `sample` has 200 characters of each cell of the first ten. `errors` cost their rows, `notes` only their cells; of each the first hundred, as of `duplicates`: rows of new customers who may be others that exist. */
  interface Import {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** What the rows of the file are: `tiles`, `customers` or `orders`. */
    kind: "tiles" | "customers" | "orders";
    /** The name of the file, as it was uploaded; empty where it named a customer who was erased. */
    fileName: string;
    /** `proposed`: nothing has been imported. `done`: it was run. `undone`: it was undone. */
    state: "proposed" | "done" | "undone";
    /** When the object was created. */
    createdAt: string;
    /** The headings of the file; `Column 1` and so on where it has none. */
    columns: Array<string>;
    /** The column of each field, as its index in `columns` from 0, or null where no column is taken for it. */
    mapping: { [key: string]: number | null };
    /** How many rows the file has, without headings and empty rows. */
    rows: number;
    /** The first 200 characters of each cell of its first ten rows. Empty once it was run. */
    sample: Array<Array<string>>;
    /** What is wrong with rows: the first hundred errors, until the import has run. Rows with errors are skipped. */
    errors: Array<RowError>;
    /** How many rows have errors. */
    rowsWithErrors: number;
    /** Cells that are left out, though their rows are not: the first hundred. */
    notes: Array<RowError>;
    /** What can be read in two ways. Until they are answered, `proposed` holds. */
    questions: Array<Question>;
    /** Rows that are new customers beside one with the same phone, email address or tax id and another name: the first hundred. */
    duplicates: Array<Duplicate>;
    /** The program that wrote the file, as its headings say: `google`, `outlook`, `shopify` and so on. */
    program?: string;
    /** What came of it, once it was run. */
    result?: ImportResult;
    /** When it was run. */
    runAt?: string;
    /** Until when it can be undone. Absent unless it was run and not undone. */
    undoUntil?: string;
    /** When it was undone. */
    undoneAt?: string;
  }

  /** Numbers of rows: `updated` are those of customers that existed; `skipped` those that are left out. */
  interface ImportCounts {
    /** How many rows became records; of tiles, how many tiles there are. */
    created: number;
    /** How many rows were of customers that existed already, in the workshop or in an earlier row. */
    updated: number;
    /** How many rows had errors. */
    skipped: number;
  }

  /** `mapping`: the index of the column of each field, from 0, or null for none. `answers`: the value of an option by the id of the question. Fields and questions that are not named stay as they are. */
  interface ImportEdit {
    /** The column of each field, as its index in `columns` from 0, or null where no column is taken for it. */
    mapping?: { [key: string]: number | null };
    /** The value of an option, by the id of its question. */
    answers?: { [key: string]: string };
  }

  /** And the first hundred rows of new customers who may be the same as others, and of cells that were left out. */
  interface ImportResult {
    /** How many rows became records; of tiles, how many tiles there are. */
    created: number;
    /** How many rows were of customers that existed already, in the workshop or in an earlier row. */
    updated: number;
    /** How many rows had errors. */
    skipped: number;
    /** Rows that are new customers beside one with the same phone, email address or tax id and another name: the first hundred. */
    duplicates: Array<Duplicate>;
    /** Cells that are left out, though their rows are not: the first hundred. */
    notes: Array<RowError>;
  }

  /** An import in a list. */
  interface ImportSummary {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** What the rows of the file are: `tiles`, `customers` or `orders`. */
    kind: "tiles" | "customers" | "orders";
    /** The name of the file, as it was uploaded; empty where it named a customer who was erased. */
    fileName: string;
    /** `proposed`: nothing has been imported. `done`: it was run. `undone`: it was undone. */
    state: "proposed" | "done" | "undone";
    /** When the object was created. */
    createdAt: string;
    /** How many rows the file has, without headings and empty rows. */
    rows: number;
    /** What came of it, once it was run. */
    result?: ImportCounts;
    /** When it was run. */
    runAt?: string;
    /** Until when it can be undone. Absent unless it was run and not undone. */
    undoUntil?: string;
    /** When it was undone. */
    undoneAt?: string;
  }

  interface ImportsList {
    /** The imports. */
    imports: Array<ImportSummary>;
  }

  /** `unread` counts all items, also those beyond the limit. */
  interface Inbox {
    /** The items that wait, newest first. */
    items: Array<InboxItem>;
    /** How many items the account has not read, also beyond `limit`. */
    unread: number;
  }

  /** `name` is the client's or customer's; `text` a question, the reason of a client who declined, or what is owed. */
  interface InboxItem {
    /** The id of the item: the same for the same matter, another one once something new happens there. */
    id: string;
    /** Why it waits: `question`, `accepted`, `declined`, `overdue`, `due_today`, `uncollected`, `unanswered`, `expiring`, `unsent`, `changed`, `over_limit`, `owed` or `unpaid` (an invoice past its due date). */
    kind: "question" | "accepted" | "declined" | "overdue" | "due_today" | "uncollected" | "unanswered" | "expiring" | "unsent" | "changed" | "over_limit" | "owed" | "unpaid";
    /** Since when it waits. */
    at: string;
    /** Whether the account has read it. Default: `false`. */
    read?: boolean;
    /** The name of the estimate, the title of the order, or the number of the invoice. */
    title: string;
    /** The name of the client, customer or buyer. Absent if there is none. */
    name?: string;
    /** The question, the reason of a client who declined, or what is owed or left to pay: the amount with its currency, as in `55.00 EUR`. */
    text?: string;
    /** The id of the estimate that it is about. */
    estimateId?: string;
    /** The id of the order that it is about. */
    orderId?: string;
    /** The id of the invoice that it is about. */
    invoiceId?: string;
  }

  /** The items that the account has read. Ids that are not in the inbox any more are ignored. */
  interface InboxRead {
    /** The ids of the items. */
    ids: Array<string>;
  }

  interface IntakeWords {
    /** The words of each craft, in the order of the catalog. */
    crafts: Array<CraftWords>;
  }

  interface Invitation {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The email address of the person who is invited. */
    email: string;
    /** What the member may do. `owner`: everything. `member`: everything except members, invitations, billing, the audit trail and deleting the workshop. */
    role: "owner" | "member";
    /** When the object was created. */
    createdAt: string;
    /** When the invitation ends: 7 days after it was sent. */
    expiresAt: string;
    /** The `uid` of the owner who sent the invitation. */
    invitedByUid: string;
  }

  interface InvitationAcceptance {
    /** The secret from the link of the email. It can be used once. */
    token: string;
  }

  /** `url` has the token of the address, which is returned only once; `qrCode` is an SVG image of it. */
  interface InvitationAddress {
    /** The address of the page on which the invitation is accepted, with a token in its fragment. It is returned only once. */
    url: string;
    /** A QR code of `url`, as SVG. */
    qrCode: string;
  }

  /** What an account is made of by somebody who was invited and has none. */
  interface InvitationJoin {
    /** The secret from the link of the email. It can be used once. */
    token: string;
    /** The name of the person. Only letters, combining marks, decimal digits, spaces, emoji and ' ’ . , - &. */
    name: string;
    /** The new password: 8 to 256 characters of any kind, not one of the most common passwords and not the email address. */
    password: string;
    /** Whether the person accepts the terms of the service; must be true. */
    acceptTerms: true;
    /** The language of the account, in which it gets emails and the labels of grid templates: `en` (English) or `pl` (Polish). Default: `en`. */
    locale?: "en" | "pl";
  }

  /** What the page of an invitation shows before it is accepted. */
  interface InvitationPreview {
    /** The workshop that the invited person joins. */
    workshopName: string;
    /** The owner who invites. */
    inviterName: string;
    /** The email address of the person who is invited. */
    email: string;
    /** What the member may do. `owner`: everything. `member`: everything except members, invitations, billing, the audit trail and deleting the workshop. */
    role: "owner" | "member";
    /** When the invitation ends. */
    expiresAt: string;
  }

  interface InvitationQuery {
    /** The secret from the link of the email. It can be used once. */
    token: string;
  }

  interface InvitationsList {
    /** The open invitations, newest first. */
    invitations: Array<Invitation>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** `paid` and `toPay` follow from the payments for the order, which cover its invoices in the order of issue. */
  interface Invoice {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** The id of the order that it is of. */
    orderId: string;
    /** `invoice`, `advance`, `final` (what advances leave) or `correction`. */
    kind: "invoice" | "advance" | "final" | "correction";
    /** `draft`, which can be changed, or `issued`, which never changes. */
    state: "draft" | "issued";
    /** That of the revision; without one, of the workshop when it was made (ISO 4217). */
    currency: string;
    /** Whether lines, subtotal, markup and discount are `net`, or `gross` (with their tax). */
    pricesShown: "net" | "gross";
    /** The workshop; of an issued invoice as it was then. */
    seller: Seller;
    /** Whom it is for. */
    buyer: Buyer;
    /** The lines, without options. Those of a correction are as they should have been. */
    lines: Array<InvoiceLine>;
    /** The tax of each rate and kind, the highest rate first. Of a final invoice what its advances leave. Empty without a tax. */
    taxes: Array<TaxAmount>;
    /** The sum of the lines. */
    subtotal: number;
    /** The markup that has a row of its own; 0 where it is in the lines. */
    markup: number;
    /** The discount that has a row of its own, positive; 0 where it is in the lines. */
    discount: number;
    /** The net sum; of a final invoice what its advances leave. */
    net: number;
    /** The sum of the taxes; 0 without one. */
    tax: number;
    /** What it is for, with tax; of a correction the whole corrected total. */
    total: number;
    /** What payments for the order cover of it. They cover its invoices in the order of issue. */
    paid: number;
    /** What is left to pay of it by `dueDate`; never negative. What a correction takes off is off the invoice, and what one adds is to be paid of the correction. */
    toPay: number;
    /** When it was made. */
    createdAt: string;
    /** The `uid` of the account that created it. */
    createdByUid: string;
    /** Its number in the series of its kind. Absent for a draft. */
    number?: string;
    /** The day of issue. Absent for a draft. */
    issueDate?: string;
    /** The day of the sale. Absent if it is not stated. */
    saleDate?: string;
    /** The day until which it is to be paid. Absent for a draft without one. */
    dueDate?: string;
    /** How it is to be paid: `cash`, `transfer`, `card`, `blik` or `other`. Absent if it is not stated. */
    method?: "cash" | "transfer" | "card" | "blik" | "other";
    /** A text of the workshop that is printed. Absent if there is none. */
    notes?: string;
    /** The revision that its figures are from. Absent where lines were entered. */
    basis?: InvoiceBasis;
    /** The issued advances that a final invoice takes off. Absent if there are none. */
    advances?: Array<AdvanceRef>;
    /** What a correction corrects. Absent otherwise. */
    corrects?: Corrected;
    /** When it was issued. Absent for a draft. */
    issuedAt?: string;
    /** The `uid` of the account that issued it. Absent for a draft. */
    issuedByUid?: string;
  }

  /** The revision that the figures are from. `number` is that of its documents. */
  interface InvoiceBasis {
    /** The id of the estimate. */
    estimateId: string;
    /** The number of its revision. */
    revisionNumber: number;
    /** The number of the documents of that revision. */
    number: string;
  }

  /** An absent member is unchanged; null clears it. */
  interface InvoiceEdit {
    /** The revision of the order's estimate. Default: the accepted one, else the latest. */
    revisionNumber?: number | null;
    /** The lines, where the order has no estimate; of a correction as they should have been. */
    lines?: Array<NewInvoiceLine> | null;
    /** The amount of an advance, with tax. Default: the deposit that the revision asks for. */
    amount?: number | null;
    /** The day of the sale. */
    saleDate?: string | null;
    /** The day until which it is to be paid. Default: `paymentDays` of the document settings after the day of issue. */
    dueDate?: string | null;
    /** How it is to be paid: `cash`, `transfer`, `card`, `blik` or `other`. */
    method?: "cash" | "transfer" | "card" | "blik" | "other" | null;
    /** Whom it is for. Default: the recipient of the revision, else the customer, else the name at the order. */
    buyer?: NewBuyer | null;
    /** A text that is printed. Several lines are allowed. */
    notes?: string | null;
  }

  /** Without a day it is today, in the time zone of the workshop. */
  interface InvoiceIssue {
    /** The day of issue. Default: today, in the time zone of the workshop. */
    issueDate?: string;
  }

  /** A line as it is printed. `unitPrice` is absent where no price of four decimals gives the amount. */
  interface InvoiceLine {
    /** What is sold. */
    label: string;
    /** The unit of the quantity. */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The quantity. At most 4 decimals. */
    quantity: number;
    /** The price of one unit, net or gross as `pricesShown` says; of entered lines as the workshop enters prices. In responses it is absent where no price gives the amount. */
    unitPrice?: number;
    /** The amount of the line, net or gross as `pricesShown` says. */
    amount: number;
    /** Its tax: a percentage, or `exempt`, `reverse_charge` or `outside`. Absent without a tax; in a request then that of the document settings. */
    tax?: number | "exempt" | "reverse_charge" | "outside";
  }

  /** The pattern of the numbers of each kind of invoices. */
  interface InvoiceNumbers {
    /** Of invoices. By default a number is like `INV 12/2026`, in Poland `FV 12/2026`. */
    invoice?: string;
    /** Of advances. By default a number is like `ADV 12/2026`, in Poland `ZAL 12/2026`. */
    advance?: string;
    /** Of final invoices. By default a number is like `FIN 12/2026`, in Poland `FK 12/2026`. */
    final?: string;
    /** Of corrections. By default a number is like `COR 12/2026`, in Poland `KOR 12/2026`. */
    correction?: string;
  }

  interface InvoicesList {
    /** The invoices, drafts and corrections included. */
    invoices: Array<Invoice>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** `shortLabel` is the label where that has 28 characters or fewer. */
  interface ItemKeywords {
    /** The id of the item. */
    id: string;
    /** The label of the item in at most 28 characters, for a button; the label itself where that is short enough. */
    shortLabel: LocalizedText;
    /** Words to find the item by, besides its label. */
    keywords: LocalizedKeywords;
  }

  /** `id` is that of the object. */
  interface KeptObject {
    /** What it is: `order`, `question`, `photo` (its caption), `estimate`, `revision`, `decision`, `comment`, `customer` (the notes of another one), `workshop` (its context notes) or `invoice`. */
    kind: "order" | "question" | "photo" | "payment" | "estimate" | "revision" | "decision" | "comment" | "customer" | "workshop" | "invoice";
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** Why it stays: `confirmed`, `decided`, `free_text` or `invoice`. */
    reason: "confirmed" | "decided" | "free_text" | "invoice";
  }

  /** What an import touched and undoing it left: `name` is that of the customer or grid, or the title of the order. */
  interface KeptRecord {
    /** `grid`, `customer` or `order`. */
    kind: "grid" | "customer" | "order";
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The name of the customer or grid, or the title of the order. */
    name: string;
    /** `changed`: somebody has changed it since. `in_use`: something refers to it, such as an order or a payment. `existed`: a customer that the import only added something to. */
    reason: "changed" | "in_use" | "existed";
  }

  interface LineAmount {
    /** The id of the line item. */
    id: string;
    /** `unitPrice` × `quantity`, rounded half up to the minor unit of the currency. Where gross prices are shown and net ones were entered, `unitPrice` with its tax, rounded half up, × `quantity`. */
    amount: number;
  }

  interface LineItem {
    /** The id of the line item, unique in its estimate. */
    id: string;
    /** What the line item is, such as `Oak table top`. */
    label: string;
    /** The unit of measure of the quantity: `sqm` (square metres), `linear_m` (metres of length), `piece`, `pair`, `hour`, `job` (a lump sum), or `freeform` (any other; the label says which). */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The price of one unit, before markup and discount, in the currency of the workshop's document settings: without tax, or with it where `pricesEntered` of the estimate's document (of a tile: of the document settings) is `gross`. At most 4 decimals. */
    unitPrice: number;
    /** How many units. At most 4 decimals. */
    quantity: number;
    /** The id of the grid button with which the line item was added. It is stored unchecked. */
    sourceButtonId?: string;
  }

  interface LineItemEdit {
    /** What the line item is, such as `Oak table top`. */
    label?: string;
    /** The unit of measure of the quantity: `sqm` (square metres), `linear_m` (metres of length), `piece`, `pair`, `hour`, `job` (a lump sum), or `freeform` (any other; the label says which). */
    unit?: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The price of one unit, before markup and discount, in the currency of the workshop's document settings: without tax, or with it where `pricesEntered` of the estimate's document (of a tile: of the document settings) is `gross`. At most 4 decimals. */
    unitPrice?: number;
    /** How many units. At most 4 decimals. */
    quantity?: number;
  }

  interface Link {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the estimate. */
    estimateId: string;
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** The language of the PDF and of the page: `en` or `pl`. */
    locale: "pl" | "en";
    /** Which parts of the estimate the PDF shows. */
    toggles: PdfExportOptions;
    /** Whether the client may accept or decline, and not only read. */
    canDecide: boolean;
    /** `open`; `accepted` or `declined` by a decision about its revision; `superseded` by a newer revision; `expired`; or `revoked`. */
    state: "open" | "accepted" | "declined" | "superseded" | "expired" | "revoked";
    /** The SHA-256 of the canonical JSON of what the link shows, as 64 hexadecimal digits. */
    documentHash: string;
    /** When the object was created. */
    createdAt: string;
    /** The `uid` of the account that created it. */
    createdByUid: string;
    /** How often the client opened the page. */
    openings: Openings;
    /** The id of the PDF export that the client sees. Absent once it was deleted after the link was revoked. */
    pdfExportId?: string;
    /** When the link can no longer be decided. It can still be read. Absent if it never expires. */
    expiresAt?: string;
    /** When the link was revoked. Absent if it was not. */
    revokedAt?: string;
    /** The addresses of the link, oldest first, without their tokens. In lists only. */
    addresses?: Array<LinkAddress>;
  }

  /** An address of a link, each with a token of its own: who made it, and how it reached the client. `ended`: it no longer works, because its maker has left the workshop, or its API key was revoked. */
  interface LinkAddress {
    /** How the address reached the client: `shown` to a member, to pass on; `printed` as a code on the PDF; `mailed`; or `unknown`, of a link of an earlier version. */
    kind: "shown" | "printed" | "mailed" | "unknown";
    /** When it was made. */
    createdAt: string;
    /** The `uid` of the member who made it. */
    byUid?: string;
    /** The id of the API key with which it was made. Absent if it was made with a session. */
    keyId?: string;
    /** The address to which it was mailed. Absent for another kind. */
    email?: string;
    /** Whether it no longer works: its maker has left the workshop, its API key was revoked, or the maker ended it with a new password. Absent while it works. Default: `false`. */
    ended?: boolean;
  }

  /** `expiresAt` null: the link follows the end of the estimate's validity. */
  interface LinkEdit {
    /** The revision that the link shows from then on. */
    revisionNumber?: number;
    /** When the link expires, with a time zone. Null: it follows the validity of the revision. */
    expiresAt?: string | null;
    /** Whether the client may accept or decline, and not only read. */
    canDecide?: boolean;
  }

  interface LinkMail {
    /** The address of the client. Receipts, answers and new revisions go there as well. */
    email: string;
    /** The tone of the message: `formal` or `friendly`. */
    tone: "formal" | "friendly";
    /** A text for the email, without links and addresses. Empty by default. Default: empty. */
    message?: string;
  }

  /** A link with an address: `url` has its token, which is returned only once. */
  interface LinkWithSecret {
    /** The new link. */
    link: Link;
    /** The address of the client's page, with the token in its fragment. It is returned only once. */
    url: string;
  }

  interface LinksList {
    /** The links, newest first. */
    links: Array<Link>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  interface LocalizedKeywords {
    /** The English words. */
    en: Array<string>;
    /** The Polish words. */
    pl: Array<string>;
  }

  /** One line in both languages. */
  interface LocalizedLine {
    /** The text on English documents. */
    en: string;
    /** The text on Polish documents. */
    pl: string;
  }

  /** A text of several lines in both languages. */
  interface LocalizedLines {
    /** The text on English documents. */
    en: string;
    /** The text on Polish documents. */
    pl: string;
  }

  interface LocalizedText {
    /** The English text. */
    en: string;
    /** The Polish text. */
    pl: string;
  }

  /** What was wrong with a request of the protocol. */
  interface McpError {
    /** The code of JSON-RPC or of the protocol. */
    code: number;
    /** What was wrong, in English. */
    message: string;
    /** For an unknown version: `supported` and `requested`. */
    data?: { [key: string]: unknown };
  }

  /** A message of the protocol. Without `id` it is a notification, which has no response. */
  interface McpMessage {
    /** The version of JSON-RPC. */
    jsonrpc: "2.0";
    /** `initialize`, `ping`, `server/discover`, `tools/list`, `tools/call`, or the name of a notification. */
    method: string;
    /** Chosen by the client, repeated by the response. Absent from a notification. */
    id?: string | number;
    /** Those of the method. For `tools/call`: `name` and `arguments`. The newest revision has its version and the client's capabilities in `_meta`. */
    params?: { [key: string]: unknown };
  }

  /** The response to a request of the protocol: either `result` or `error`. */
  interface McpResponse {
    /** The version of JSON-RPC. */
    jsonrpc: "2.0";
    /** That of the request. Absent where it could not be read. */
    id?: string | number;
    /** That of the method. For `tools/call`: `content` and `structuredContent`, which name the fault where the operation rejected the call. */
    result?: { [key: string]: unknown };
    /** Why the message was rejected. */
    error?: McpError;
  }

  interface MeProfile {
    /** The name of the person. */
    name: string;
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
    /** The language of the account, in which it gets emails and the labels of grid templates: `en` (English) or `pl` (Polish). */
    locale: "en" | "pl";
    /** How the account can sign in: `password`, `google`, or both. */
    signInMethods: Array<"password" | "google">;
  }

  interface MemberEdit {
    /** What the member may do. `owner`: everything. `member`: everything except members, invitations, billing, the audit trail and deleting the workshop. */
    role: "owner" | "member";
  }

  /** `month`: YYYY-MM, as far as it is in the period. */
  interface MonthNumbers {
    /** The month as YYYY-MM. The first and last one only as far as it is in the period. */
    month: string;
    /** Prices that were agreed, as `listAgreedPrices` lists them. */
    agreed: CountedSums;
    /** Payments that were received and stand, less refunds. */
    received: CountedSums;
  }

  /** `count` estimates have a line with this label and unit. The price is that of the latest one. */
  interface MostUsedLineItem {
    /** What the line item is, such as `Oak table top`. */
    label: string;
    /** The unit of measure of the quantity: `sqm` (square metres), `linear_m` (metres of length), `piece`, `pair`, `hour`, `job` (a lump sum), or `freeform` (any other; the label says which). */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The price of one unit in the most recent estimate that uses the line item. */
    unitPrice: number;
    /** The number of estimates of the workshop with a line item of this label and unit. */
    count: number;
    /** When the most recent of these estimates was last changed. */
    lastUsedAt: string;
    /** `gross` where `unitPrice` is with tax. Absent where it is net. */
    pricesEntered?: "gross";
  }

  interface MostUsedLineItemsList {
    /** The line items, the most used first. */
    lineItems: Array<MostUsedLineItem>;
  }

  interface NewAcceptance {
    /** The name of the person who accepts. */
    name: string;
    /** The `documentHash` of the estimate that was shown. */
    documentHash: string;
    /** The id of the `consent` that was shown. */
    consentId: string;
    /** That the sentence of `consent` was agreed to. Only true is accepted. */
    agreed: true;
    /** The signature: the typed name, or a drawn one. */
    signature: Signature;
    /** That the client asks for what `earlyStart` says; stored with the sentence of `consent`. Default: `false`. */
    startEarly?: boolean;
  }

  /** The body of a sign-up. `password` is ignored: the password is chosen with the link in the email. */
  interface NewAccount {
    /** The name of the person. Only letters, combining marks, decimal digits, spaces, emoji and ' ’ . , - &. */
    name: string;
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
    /** Whether the person accepts the terms of the service; must be true. */
    acceptTerms: true;
    /** The language of the account, in which it gets emails and the labels of grid templates: `en` (English) or `pl` (Polish). Default: `en`. */
    locale?: "en" | "pl";
    /** The new password: 8 to 256 characters of any kind, not one of the most common passwords and not the email address. */
    password?: string;
  }

  interface NewAnswer {
    /** The comment. It may have several lines. */
    text: string;
  }

  interface NewApiKey {
    /** The name by which its owner recognizes the key. */
    name: string;
    /** What the key may do: the security scheme `apiKey` lists the areas that each opens. Writing does not include reading. */
    scopes: Array<"orders:read" | "orders:write" | "estimates:read" | "estimates:write" | "customers:read" | "customers:write" | "payments:read" | "payments:write" | "invoices:read" | "invoices:write" | "files:read" | "files:write" | "drafts:write">;
    /** When the key stops being valid: a time in the future, with a time zone. Default: never. */
    expiresAt?: string;
    /** The id of the workshop that the key is bound to. Absent if it may act in every workshop of its account. */
    workshopId?: string;
  }

  /** Without `isConsumer`, somebody without a tax id is one. */
  interface NewBuyer {
    /** The name of the buyer; empty in a draft of an order without one. */
    name: string;
    /** The address, in several lines. */
    address?: string;
    /** The country (ISO 3166-1). */
    country?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
    /** The tax id. */
    taxId?: string;
    /** The email address. */
    email?: string;
    /** Whether the buyer is a consumer. Default: whoever has no tax id is one. */
    isConsumer?: boolean;
  }

  /** `names`: of customers and clients, as anybody sees them who has the address. */
  interface NewCalendar {
    /** What calendar programs call the feed. */
    name: string;
    /** The days of the feed: `due` of orders, the last days of open `estimates`, or `both`. */
    show: "due" | "estimates" | "both";
    /** Customers in the feed: `full`, their `initials`, or `none`. */
    names: "full" | "initials" | "none";
  }

  /** `to`: who collected it, where it was not the customer. */
  interface NewCollection {
    /** Who collected it, where it was not the customer. */
    to?: string;
  }

  interface NewComment {
    /** The name of the client. */
    name: string;
    /** The comment. It may have several lines. */
    text: string;
  }

  interface NewCorrection {
    /** Why it is corrected, one line; it is printed. */
    reason: string;
  }

  interface NewCustomer {
    /** The name of the person or company. */
    name: string;
    /** Whether it is a `person` or a `company`. Default: `person`. */
    kind?: "person" | "company";
    /** The phone numbers, at most 5; documents show the first. Default: `[]`. */
    phones?: Array<NewPhone>;
    /** The email addresses, at most 5; documents show the first. Default: `[]`. */
    emails?: Array<string>;
    /** Free text about the customer; documents do not show it. Default: empty. */
    notes?: string;
    /** The postal address, on several lines. */
    address?: string;
    /** Where work is done, on several lines. */
    siteAddress?: string;
    /** The tax number, such as a NIP. */
    taxId?: string;
    /** The language of documents and messages for the customer: `en` (English) or `pl` (Polish). */
    locale?: "pl" | "en";
  }

  /** A decision that the client made without a link. */
  interface NewDecision {
    /** The number of a confirmed revision of the estimate; 1 is the first. */
    revisionNumber: number;
    /** What the client decided: `accepted` or `declined`. */
    outcome: "accepted" | "declined";
    /** How the client decided: `in_person`, `phone`, `email` or `message`. */
    method: "in_person" | "phone" | "email" | "message";
    /** The name of the client. */
    name: string;
    /** When the client decided, with a time zone; not in the future, and not before the revision was confirmed. Now by default. */
    decidedAt?: string;
  }

  interface NewDecline {
    /** The name of the person who declines. */
    name?: string;
    /** Why. It may have several lines. Default: empty. */
    reason?: string;
  }

  interface NewEstimate {
    /** The name of the estimate, shown on the PDF. */
    name: string;
    /** The client for whom the estimate is made, as shown on the PDF. Absent if there is none. */
    recipientName?: string;
    /** The percentage that is added to the sum of the line items. Default: 0. At most 4 decimals. */
    markupPercent?: number;
    /** The percentage that is subtracted from the sum of the line items with markup. Default: 0. At most 4 decimals. */
    discountPercent?: number;
    /** The line items, in the order in which they are shown. Ids are unique in the list. Default: none. */
    lineItems?: Array<NewLineItem>;
    /** What their unit prices are: `net`, or `gross` (with their tax). Default: as in the document settings. */
    pricesEntered?: "net" | "gross";
    /** What its documents state besides, as of `replaceEstimateDocument`. Its `lineTaxes` and `sections` name line items by the ids that are sent with them. */
    document?: DocumentFacts;
  }

  interface NewFeedback {
    /** `feedback` (an opinion or idea) or `support` (a question or problem). */
    kind: "feedback" | "support";
    /** The subject, in one line. */
    title: string;
    /** The text of the message. */
    message: string;
    /** The page from which the message was sent. */
    path?: string;
  }

  /** Either `buttons` or `templateSlug`, or neither for an empty grid. A template has a name of its own. `locale` is the language of a template's name and labels: that of the caller, unless it is sent. */
  interface NewGrid {
    /** The name of the grid. Required without `templateSlug`. Default: the name of the template. */
    name?: string;
    /** How large the buttons show their icons. Default: `medium`. */
    iconSize?: "small" | "medium" | "large";
    /** The buttons, in the order in which they are shown. Not together with `templateSlug`. Default: none. */
    buttons?: Array<NewGridButton>;
    /** The `slug` of a template of the catalog, whose items become the buttons, with a price of 0. */
    templateSlug?: string;
    /** The language of the texts that come from the catalog: `en` or `pl`. Default: the language of the caller. */
    locale?: "en" | "pl";
  }

  /** A button of a request: with the id of an existing button, or without an id for a new one. */
  interface NewGridButton {
    /** The emoji that the button or entry shows: one of the curated set of `listEmoji`. */
    emoji: string;
    /** The label of the button and of the line item that it adds. */
    label: string;
    /** The unit of measure of the quantity: `sqm` (square metres), `linear_m` (metres of length), `piece`, `pair`, `hour`, `job` (a lump sum), or `freeform` (any other; the label says which). */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The price of one unit, before markup and discount, in the currency of the workshop's document settings: without tax, or with it where `pricesEntered` of the estimate's document (of a tile: of the document settings) is `gross`. At most 4 decimals. */
    unitPrice: number;
    /** The id of an existing button, which it keeps. Default: a new id. */
    id?: string;
    /** The colour of the button. Absent if it has no colour of its own. */
    backgroundColor?: string;
    /** The id of an uploaded file of category `grid_tile_icon`, shown instead of the emoji. */
    iconFileId?: string;
  }

  interface NewHandoff {
    /** How the estimate was handed over: `message-copied`, `message-shared`, `pdf-shared`, `pdf-and-message-shared` or `email-opened`. It is stored unchecked. */
    kind: "message-copied" | "message-shared" | "pdf-shared" | "pdf-and-message-shared" | "email-opened";
    /** The language of the document or message for the client: `en` or `pl`. */
    locale: "pl" | "en";
    /** Whether the estimate was presented as preliminary, that is not binding yet. */
    preliminary: boolean;
    /** The tone of the message: `formal` or `friendly`. */
    tone: "formal" | "friendly";
    /** Whether a language model wrote the message text; false for the built-in template and for text that a person wrote. */
    aiDrafted: boolean;
    /** The id of the PDF export that was handed over; it must be one of this estimate. */
    pdfExportId?: string;
  }

  interface NewInvitation {
    /** The email address of the person who is invited. */
    email: string;
    /** What the member may do. `owner`: everything. `member`: everything except members, invitations, billing, the audit trail and deleting the workshop. */
    role: "owner" | "member";
  }

  /** Of the accepted revision of the order's estimate unless it names another; of `lines` without an estimate. */
  interface NewInvoice {
    /** `invoice`, `advance`, or `final` (what issued advances leave). */
    kind: "invoice" | "advance" | "final";
    /** The revision of the order's estimate. Default: the accepted one, else the latest. */
    revisionNumber?: number;
    /** The lines, where the order has no estimate; of a correction as they should have been. */
    lines?: Array<NewInvoiceLine>;
    /** The amount of an advance, with tax. Default: the deposit that the revision asks for. */
    amount?: number;
    /** The day of the sale. */
    saleDate?: string;
    /** The day until which it is to be paid. Default: `paymentDays` of the document settings after the day of issue. */
    dueDate?: string;
    /** How it is to be paid: `cash`, `transfer`, `card`, `blik` or `other`. */
    method?: "cash" | "transfer" | "card" | "blik" | "other";
    /** Whom it is for. Default: the recipient of the revision, else the customer, else the name at the order. */
    buyer?: NewBuyer;
    /** A text that is printed. Several lines are allowed. */
    notes?: string;
  }

  /** Its price is with tax where the prices of the workshop are, or those of the invoice that is corrected. */
  interface NewInvoiceLine {
    /** What is sold. */
    label: string;
    /** The unit of the quantity. */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The quantity. At most 4 decimals. */
    quantity: number;
    /** The price of one unit, net or gross as `pricesShown` says; of entered lines as the workshop enters prices. In responses it is absent where no price gives the amount. */
    unitPrice: number;
    /** Its tax: a percentage, or `exempt`, `reverse_charge` or `outside`. Absent without a tax; in a request then that of the document settings. */
    tax?: number | "exempt" | "reverse_charge" | "outside";
  }

  /** A line item of a request: with the id of an existing line, or without an id for a new one. */
  interface NewLineItem {
    /** What the line item is, such as `Oak table top`. */
    label: string;
    /** The unit of measure of the quantity: `sqm` (square metres), `linear_m` (metres of length), `piece`, `pair`, `hour`, `job` (a lump sum), or `freeform` (any other; the label says which). */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The price of one unit, before markup and discount, in the currency of the workshop's document settings: without tax, or with it where `pricesEntered` of the estimate's document (of a tile: of the document settings) is `gross`. At most 4 decimals. */
    unitPrice: number;
    /** How many units. At most 4 decimals. */
    quantity: number;
    /** The id of an existing line item, which it keeps, or a UUID that the client has made. Default: a new id. */
    id?: string;
    /** The id of the grid button with which the line item was added. It is stored unchecked. */
    sourceButtonId?: string;
  }

  /** Defaults: the latest revision, the default toggles, and the end of the estimate's validity. */
  interface NewLink {
    /** The language of the PDF and of the page: `en` or `pl`. */
    locale: "pl" | "en";
    /** The number of the revision; the latest by default. */
    revisionNumber?: number;
    /** Which parts of the estimate the PDF shows. */
    toggles?: PdfExportOptions;
    /** When the link expires, with a time zone. By default the end of the last day of the estimate's validity. */
    expiresAt?: string;
    /** Whether the client may accept or decline, and not only read. Default: `true`. */
    canDecide?: boolean;
  }

  /** `withPdf`: whether the PDF goes with the message. The channel `message` is an SMS or chat, which is shorter. `link`: what the client can do on the page whose address goes with the message, if one does. The body then has `{link}` in the place of the address. */
  interface NewMessageDraft {
    /** The language of the document or message for the client: `en` or `pl`. */
    locale: "pl" | "en";
    /** The tone of the message: `formal` or `friendly`. */
    tone: "formal" | "friendly";
    /** Whether the message presents the estimate as preliminary, that is not binding yet. */
    preliminary: boolean;
    /** Whether the PDF goes with the message. Default: false. Default: `false`. */
    withPdf?: boolean;
    /** How the message is sent: `email`, or `message` (an SMS or a chat), which is shorter. Default: `email`. Default: `email`. */
    channel?: "email" | "message";
    /** What the client can do on the page whose address goes with the message: `answer` or `read`. The body has the word link in braces in the place of the address. Default: no address goes with it. */
    link?: "answer" | "read" | null;
  }

  interface NewNotice {
    /** Of what the customer is informed: `received`, `waiting`, `delayed`, `ready` or `reminder`. */
    kind: "received" | "waiting" | "delayed" | "ready" | "reminder";
    /** How the customer was informed: `message-copied`, `message-shared`, `email-opened` or `called`. */
    channel: "message-copied" | "message-shared" | "email-opened" | "called";
  }

  /** Unknown fields are ignored. */
  interface NewOrder {
    /** One line that says what the job is. */
    title: string;
    /** The customer for whom the job is done. Empty if there is none. Default: empty. */
    customerName?: string;
  }

  interface NewOrderAnswer {
    /** The question or answer. */
    text: string;
  }

  interface NewOrderMessage {
    /** Of what the customer is informed: `received`, `waiting`, `delayed`, `ready` or `reminder`. */
    kind: "received" | "waiting" | "delayed" | "ready" | "reminder";
    /** The language of the message: `en` or `pl`. */
    locale: "pl" | "en";
    /** The tone of the message: `formal` or `friendly`. */
    tone: "formal" | "friendly";
  }

  /** `name`: who signed, where it was not the customer. */
  interface NewOrderSignature {
    /** The strokes of the pen: lists of points `[x, y]`, with y downwards, in any unit. At most 32 KiB. */
    strokes: Array<Array<Array<number>>>;
    /** Who signed, where it was not the customer. */
    name?: string;
  }

  /** In the currency of the workshop. Without `receivedOn` it was received today, by the workshop's time zone. */
  interface NewPayment {
    /** `deposit` (before the work), `payment`, or `refund` (paid back to the customer). */
    kind: "deposit" | "payment" | "refund";
    /** The amount, with at most the decimals of the currency. */
    amount: number;
    /** How it was paid: `cash`, `transfer`, `card`, `blik` or `other`. */
    method: "cash" | "transfer" | "card" | "blik" | "other";
    /** The day on which it was received. Default: today, in the time zone of the workshop. */
    receivedOn?: string;
    /** A note of the workshop, one line. */
    note?: string;
  }

  /** Body of a request. Defaults: the latest revision, and the default toggles. */
  interface NewPdfExport {
    /** The language of the document or message for the client: `en` or `pl`. */
    locale: "pl" | "en";
    /** Whether the PDF is marked as preliminary, that is not binding yet. */
    preliminary: boolean;
    /** Which parts of the estimate the PDF shows. Each one that is absent has its default. */
    toggles?: PdfExportOptions;
    /** The number of the revision that the PDF shows. Default: the latest. */
    revisionNumber?: number;
  }

  /** A phone number in a request. `e164` is accepted, so that a list that was read can be sent, and computed anew. */
  interface NewPhone {
    /** The number as it was typed. */
    number: string;
    /** What the number is, such as `mobile`. */
    label?: string;
    /** Ignored, so that a list that was read can be sent. */
    e164?: string;
  }

  /** A price agreed without an estimate, in the currency of the workshop; null: none. */
  interface NewPrice {
    /** The price, with at most the decimals of the currency; null for none. */
    amount: number | null;
  }

  /** `endpoint`, `p256dh` and `auth` are what the browser says of its subscription. `details`: whether messages name the customer and the work, which are then on the screen of a locked phone. */
  interface NewPushSubscription {
    /** The address at the push service, with https. It is a secret of the browser. */
    endpoint: string;
    /** The public key of the browser, 65 bytes in the base64url encoding. */
    p256dh: string;
    /** The secret with which messages are encrypted, 16 bytes in the base64url encoding. */
    auth: string;
    /** The kinds of the inbox that it hears of. */
    kinds: Array<"question" | "accepted" | "declined" | "overdue" | "due_today" | "uncollected" | "unanswered" | "expiring" | "unsent" | "changed" | "over_limit" | "owed" | "unpaid">;
    /** Whether messages name the customer and the work. Otherwise they say what happened, and in which workshop. Default: `false`. */
    details?: boolean;
  }

  interface NewQuestion {
    /** The name that the customer gave, or that of the workshop. */
    name: string;
    /** The question or answer. */
    text: string;
  }

  interface NewVoid {
    /** Why the payment is voided, one line. */
    reason: string;
  }

  /** `events`: names of event types, or `*` for all. */
  interface NewWebhook {
    /** Where messages are sent, with https. */
    url: string;
    /** The types of the events that it hears of, or `*` for all. */
    events: Array<"workshop.created" | "workshop.updated" | "plan.changed" | "invitation.created" | "invitation.deleted" | "member.joined" | "member.updated" | "member.left" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.rotated" | "customer.created" | "customer.updated" | "customer.deleted" | "customer.merged" | "customer.erased" | "order.created" | "order.updated" | "order.moved" | "order.details_updated" | "order.collected" | "order.agreed" | "payment.recorded" | "payment.voided" | "invoice.created" | "invoice.updated" | "invoice.deleted" | "invoice.issued" | "order.asked" | "order.answered" | "order.notified" | "photo.created" | "photo.updated" | "photo.deleted" | "order.link_renewed" | "order.deleted" | "estimate.created" | "estimate.updated" | "estimate.confirmed" | "estimate.deleted" | "estimate.shared" | "estimate.unshared" | "estimate.opened" | "estimate.accepted" | "estimate.declined" | "estimate.commented" | "decision.voided" | "inbox.dismissed" | "pdf.created" | "pdf.deleted" | "handoff.created" | "grid.created" | "grid.updated" | "grid.deleted" | "file.created" | "file.deleted" | "import.run" | "import.undone" | "*">;
    /** What it is for. */
    description?: string;
  }

  interface NewWorkshop {
    /** The name of the workshop, shown on PDFs. */
    name: string;
    /** A short line about the workshop, shown with its name. Default: empty. */
    tagline?: string;
    /** The emoji that represents the workshop: one of the curated set of `listEmoji`. Default: `🛠️`. */
    logo?: string;
    /** The name of the craftsperson, with which messages are signed. Default: empty. */
    crafterName?: string;
    /** The preset background of the workshop's pages. Default: `paper`. */
    background?: "paper" | "linen" | "sage" | "mist" | "blush" | "indigo" | "forest" | "plum" | "terracotta" | "charcoal" | "astral" | "ember" | "meadow" | "dusk" | "tide" | "orchid" | "copper" | "aurora" | "dawn" | "cloud";
    /** A background of one colour or of a gradient, instead of `background`. Null or absent if there is none. */
    customBackground?: SolidBackground | GradientBackground | null;
    /** The typeface of titles. Default: `sans`. */
    titleFont?: "sans" | "serif" | "didone" | "mono" | "rounded";
    /** The colour of accents. Null or absent if the usual one is used. */
    accentColor?: string | null;
  }

  interface Notice {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** Of what the customer is informed: `received`, `waiting`, `delayed`, `ready` or `reminder`. */
    kind: "received" | "waiting" | "delayed" | "ready" | "reminder";
    /** How the customer was informed: `message-copied`, `message-shared`, `email-opened` or `called`. */
    channel: "message-copied" | "message-shared" | "email-opened" | "called";
    /** When it was recorded. */
    at: string;
    /** The `uid` of the member who recorded it. */
    byUid: string;
  }

  interface NoticesList {
    /** The notices, newest first. */
    notices: Array<Notice>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** How often the client opened the page. Visits of members do not count. */
  interface Openings {
    /** The number of openings, without those of members. */
    count: number;
    /** When the page was first opened. Absent if it never was. */
    firstAt?: string;
    /** When the page was last opened. Absent if it never was. */
    lastAt?: string;
  }

  interface Option {
    /** The value to send as the answer. */
    value: string;
    /** The answer in words; of `column:unitPrice` the heading. */
    text: string;
    /** Two cells of the file, and how they would be read. */
    samples: Array<Sample>;
  }

  interface Order {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the workshop that the object belongs to. */
    workshopId: string;
    /** One line that says what the job is. */
    title: string;
    /** The customer for whom the job is done. Empty if there is none. */
    customerName: string;
    /** Free text about the job. */
    notes: string;
    /** The status of the order: `todo`, `in_progress` or `done`. */
    status: "todo" | "in_progress" | "done";
    /** When the object was created. */
    createdAt: string;
    /** When the order last changed its status, or when it was created. */
    lastActivityAt: string;
    /** Every status that the order has had, oldest first. The first entry is its creation. */
    statusHistory: Array<StatusChange>;
  }

  /** `open` orders are neither ready nor collected; `overdue`, `today` and `week` are among them. */
  interface OrderCounts {
    /** Orders that are neither ready nor collected. */
    open: number;
    /** Open orders whose day, and time, has passed. */
    overdue: number;
    /** Open orders that are due today and not overdue. */
    today: number;
    /** Open orders that are due in the next seven days after today. */
    week: number;
    /** Orders at the stage `waiting`. */
    waiting: number;
    /** Orders at the stage `ready`. */
    ready: number;
  }

  interface OrderDetails {
    /** The id of the order. */
    orderId: string;
    /** The number of the order in its workshop: 1, 2, 3 … in the order of creation, never used again. */
    number: number;
    /** Where the work is: `received`, `waiting`, `in_progress`, `ready` or `collected`. It follows from status, `waitingFor` and `collectedAt`. */
    stage: "received" | "waiting" | "in_progress" | "ready" | "collected";
    /** The id of the customer. */
    customerId?: string;
    /** The phone number of the customer, as it was typed. */
    phone?: string;
    /** The thing itself. Absent if nothing is known of it. */
    item?: OrderItem;
    /** The day on which it is to be ready, in the time zone of the workshop. */
    dueOn?: string;
    /** The time of that day, as HH:MM. */
    dueTime?: string;
    /** What the customer wants to pay at most, in the currency of the workshop's document settings. */
    priceLimit?: number;
    /** Where it lies. */
    place?: string;
    /** The `uid` of the member who works on it. Absent once that member leaves. */
    assignedTo?: string;
    /** What the work is waiting for: `parts`, `customer`, `supplier` or `other`. */
    waitingFor?: "parts" | "customer" | "supplier" | "other";
    /** Until when that is expected. */
    waitingUntil?: string;
    /** How the work ended: `repaired`, `not_repaired` or `declined`. */
    outcome?: "repaired" | "not_repaired" | "declined";
    /** The id of its estimate. Absent once that is deleted. */
    estimateId?: string;
    /** The time of the move to `done` that still holds. */
    readyAt?: string;
    /** When it was collected. */
    collectedAt?: string;
    /** Who collected it, where it was not the customer. */
    collectedBy?: string;
    /** Present and true while the total of the linked estimate, as it stands, is above `priceLimit`. */
    exceedsLimit?: boolean;
  }

  /** null clears a member, an absent member is unchanged. `item` is replaced as a whole; an empty one is none. */
  interface OrderDetailsEdit {
    /** The id of the customer. */
    customerId?: string | null;
    /** The phone number of the customer, as it was typed. */
    phone?: string | null;
    /** The thing itself. Absent if nothing is known of it. */
    item?: OrderItem | null;
    /** The day on which it is to be ready, in the time zone of the workshop. */
    dueOn?: string | null;
    /** The time of that day, as HH:MM. */
    dueTime?: string | null;
    /** What the customer wants to pay at most, in the currency of the workshop's document settings. */
    priceLimit?: number | null;
    /** Where it lies. */
    place?: string | null;
    /** The `uid` of the member who works on it. Absent once that member leaves. */
    assignedTo?: string | null;
    /** What the work is waiting for: `parts`, `customer`, `supplier` or `other`. */
    waitingFor?: "parts" | "customer" | "supplier" | "other" | null;
    /** Until when that is expected. */
    waitingUntil?: string | null;
    /** How the work ended: `repaired`, `not_repaired` or `declined`. */
    outcome?: "repaired" | "not_repaired" | "declined" | null;
    /** The id of its estimate. Absent once that is deleted. */
    estimateId?: string | null;
  }

  interface OrderEdit {
    /** One line that says what the job is. */
    title?: string;
    /** The customer for whom the job is done. Empty if there is none. */
    customerName?: string;
    /** Free text about the job. */
    notes?: string;
  }

  /** Title and customer of the order. Defaults: the name and recipient of the estimate. */
  interface OrderFromEstimate {
    /** The title of the order. Default: the name of the estimate. */
    title?: string;
    /** The customer of the order. Default: the recipient of the estimate. */
    customerName?: string;
  }

  /** The thing itself. `description` is in the customer's words, `condition` in the workshop's. */
  interface OrderItem {
    /** What it is, in the customer's words. */
    description?: string;
    /** The condition in which it came, in the workshop's words. */
    condition?: string;
    /** Its serial number. */
    serial?: string;
    /** How many pieces there are. */
    pieces?: number;
  }

  /** `aiDrafted` is false: these few sentences are templates. */
  interface OrderMessage {
    /** The subject, with the number of the order. */
    subject: string;
    /** The message as plain text. */
    body: string;
    /** Whether a language model wrote the message text; false for the built-in template and for text that a person wrote. Default: `false`. */
    aiDrafted?: boolean;
  }

  interface OrderMove {
    /** The new status; it may be the present one. */
    status: "todo" | "in_progress" | "done";
  }

  /** `name` is the customer's as it was typed, or that of the workshop. */
  interface OrderQuestion {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** Who wrote it: `customer` or `member`. */
    by: "customer" | "member";
    /** The name that the customer gave, or that of the workshop. */
    name: string;
    /** The question or answer. */
    text: string;
    /** When it was written. */
    at: string;
  }

  interface OrderQuestionsList {
    /** The questions and answers, oldest first. */
    questions: Array<OrderQuestion>;
  }

  interface OrderResponse {
    /** The order. */
    order: Order;
  }

  /** Without the other members where nobody has signed. */
  interface OrderSignature {
    /** The id of the order. */
    orderId: string;
    /** The strokes of the pen: lists of points `[x, y]`, with y downwards, in any unit. At most 32 KiB. */
    strokes?: Array<Array<Array<number>>>;
    /** Who signed, where it was not the customer. */
    name?: string;
    /** When it was signed. */
    signedAt?: string;
  }

  interface OrderSummariesList {
    /** The summaries, earliest due first. */
    summaries: Array<OrderSummary>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** The details without the condition and serial number of the item, and what a ticket shows besides. */
  interface OrderSummary {
    /** The id of the order. */
    orderId: string;
    /** The number of the order in its workshop: 1, 2, 3 … in the order of creation, never used again. */
    number: number;
    /** Where the work is: `received`, `waiting`, `in_progress`, `ready` or `collected`. It follows from status, `waitingFor` and `collectedAt`. */
    stage: "received" | "waiting" | "in_progress" | "ready" | "collected";
    /** The id of the customer. */
    customerId?: string;
    /** The phone number of the customer, as it was typed. */
    phone?: string;
    /** The thing itself. Absent if nothing is known of it. */
    item?: OrderItem;
    /** The day on which it is to be ready, in the time zone of the workshop. */
    dueOn?: string;
    /** The time of that day, as HH:MM. */
    dueTime?: string;
    /** What the customer wants to pay at most, in the currency of the workshop's document settings. */
    priceLimit?: number;
    /** Where it lies. */
    place?: string;
    /** The `uid` of the member who works on it. Absent once that member leaves. */
    assignedTo?: string;
    /** What the work is waiting for: `parts`, `customer`, `supplier` or `other`. */
    waitingFor?: "parts" | "customer" | "supplier" | "other";
    /** Until when that is expected. */
    waitingUntil?: string;
    /** How the work ended: `repaired`, `not_repaired` or `declined`. */
    outcome?: "repaired" | "not_repaired" | "declined";
    /** The id of its estimate. Absent once that is deleted. */
    estimateId?: string;
    /** The time of the move to `done` that still holds. */
    readyAt?: string;
    /** When it was collected. */
    collectedAt?: string;
    /** Who collected it, where it was not the customer. */
    collectedBy?: string;
    /** Present and true while the total of the linked estimate, as it stands, is above `priceLimit`. */
    exceedsLimit?: boolean;
    /** One line that says what the job is. */
    title: string;
    /** The customer for whom the job is done. Empty if there is none. */
    customerName: string;
    /** The status of the order: `todo`, `in_progress` or `done`. */
    status: "todo" | "in_progress" | "done";
    /** When the order last changed its status, or when it was created. */
    lastActivityAt: string;
    /** The number of its photos. */
    photos: number;
    /** The id of the first of them. */
    coverPhotoId?: string;
    /** The price of the revision that the client accepted, else of the latest one. Absent without a revision. */
    agreed?: AgreedPrice;
    /** What is still to be paid. Absent while no price is agreed. */
    due?: AmountDue;
    /** When the customer was notified last that it is ready. Absent unless it is ready and somebody has. */
    notifiedAt?: string;
  }

  interface OrdersList {
    /** The orders, newest first. */
    orders: Array<Order>;
  }

  /** Of orders that were collected and not paid in full, and the number of customers whose orders these are. */
  interface OwedSums {
    /** How many there are. */
    count: number;
    /** The sum of what is due in each currency. */
    sums: Array<AmountDue>;
    /** Whose orders they are: how many customers; one who is in no list is known by the name. */
    customers: number;
  }

  interface PasswordChange {
    /** The present password of the account. */
    currentPassword: string;
    /** The new password: 8 to 256 characters of any kind, not one of the most common passwords. */
    newPassword: string;
    /** Whether all addresses of links that the account made end as well. Default: false. Default: `false`. */
    endLinks?: boolean;
  }

  interface PasswordReset {
    /** The secret from the link of the email. It can be used once. */
    token: string;
    /** The new password: 8 to 256 characters of any kind, not one of the most common passwords and not the email address. */
    password: string;
    /** Whether all API keys of the account end as well. Default: false. Default: `false`. */
    endApiKeys?: boolean;
    /** Whether all addresses of links that the account made end as well. Default: false. Default: `false`. */
    endLinks?: boolean;
  }

  interface PasswordResetRequest {
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
  }

  /** `number` is absent for a payment of an earlier release until the service has numbered it. */
  interface Payment {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the order that it is for. */
    orderId: string;
    /** `deposit` (before the work), `payment`, or `refund` (paid back to the customer). */
    kind: "deposit" | "payment" | "refund";
    /** The amount, above 0, also of a refund. */
    amount: number;
    /** The currency of the workshop when it was recorded (ISO 4217). */
    currency: string;
    /** How it was paid: `cash`, `transfer`, `card`, `blik` or `other`. */
    method: "cash" | "transfer" | "card" | "blik" | "other";
    /** The day on which it was received or paid back. */
    receivedOn: string;
    /** When it was recorded. */
    createdAt: string;
    /** The `uid` of the account that created it. */
    createdByUid: string;
    /** A note of the workshop. Absent if there is none. */
    note?: string;
    /** Its number in the series of the workshop, the direction and the year in which it was recorded, in the time zone of the workshop: `KP 12/2026` of what was received, `KW 3/2026` of a refund. A voided payment keeps it. Absent for a short time after an update from a version without numbers. */
    number?: string;
    /** When it was voided. Absent while it stands. */
    voidedAt?: string;
    /** The `uid` of the account that voided it. */
    voidedBy?: string;
    /** Why it was voided. */
    reason?: string;
  }

  /** What is due and how to pay it. `code`: whether there is a payment code. Without a bank account there is neither `iban` nor what belongs to it, without a payment link no `link`; nothing of either where nothing is due. */
  interface PaymentRequest {
    /** What is still to be paid; 0 where it is paid. */
    due: number;
    /** The currency (ISO 4217). */
    currency: string;
    /** Whether there is a payment code. */
    code: boolean;
    /** The bank account, without spaces. Absent without one, and where nothing is due. */
    iban?: string;
    /** Whose account it is. */
    accountName?: string;
    /** The title of the transfer, in the language of the customer, such as `Order 214`. */
    title?: string;
    /** The address at which it can be paid otherwise, from `paymentLink` of the document settings. */
    link?: string;
  }

  interface PaymentsList {
    /** The payments, voided ones included. */
    payments: Array<Payment>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** The record of a PDF. Its content is the file with the same id. */
  interface PdfExport {
    /** The id of the PDF export, and of its file. */
    id: string;
    /** The number of the revision that the PDF shows. */
    revisionNumber: number;
    /** Which parts of the estimate the PDF shows. */
    toggles: PdfExportOptions;
    /** When the PDF was made. */
    generatedAt: string;
    /** The `uid` of the account that created it. */
    createdByUid: string;
    /** The language of the document or message for the client: `en` or `pl`. */
    locale?: "pl" | "en";
    /** Whether the PDF is marked as preliminary, that is not binding yet. */
    preliminary?: boolean;
  }

  /** Which parts of an estimate the client sees. breakdown: the lines; without it there is one line with the estimate's name and the subtotal. showMarkup, showDiscount: a row for each; otherwise the line prices include it. */
  interface PdfExportOptions {
    /** Whether the PDF lists the line items; otherwise it has one line with the name of the estimate. Default: `true`. */
    breakdown?: boolean;
    /** Whether the markup has a row of its own; otherwise the line prices include it. Default: `false`. */
    showMarkup?: boolean;
    /** Whether the discount has a row of its own; otherwise the line prices include it. Default: `false`. */
    showDiscount?: boolean;
    /** Whether the PDF shows the name of the recipient. Default: `true`. */
    showRecipient?: boolean;
    /** Whether the PDF shows the mark of Backbench. Always true on the `free` plan. Default: `true`. */
    showBrandMark?: boolean;
  }

  interface PdfExportsList {
    /** The PDF exports, newest first. */
    pdfExports: Array<PdfExport>;
  }

  /** `width`, `height` and `sizeBytes` are those of the stored image. */
  interface Photo {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The id of the order. */
    orderId: string;
    /** What the photo shows: the thing `before`, `during` or `after` the work, or a `detail`. */
    kind: "before" | "during" | "after" | "detail";
    /** Whether the customer may see it on the status page. */
    shared: boolean;
    /** When it was taken; when it arrived, where that is not said. */
    takenAt: string;
    /** The width of the stored image in pixels. */
    width: number;
    /** The height of the stored image in pixels. */
    height: number;
    /** The size of the stored image in bytes. */
    sizeBytes: number;
    /** When the object was created. */
    createdAt: string;
    /** The `uid` of the account that uploaded it. */
    createdByUid: string;
    /** The caption. */
    caption?: string;
  }

  /** An absent member is unchanged. null or an empty text clears the caption. */
  interface PhotoEdit {
    /** What the photo shows: the thing `before`, `during` or `after` the work, or a `detail`. */
    kind?: "before" | "during" | "after" | "detail";
    /** The caption. */
    caption?: string | null;
    /** Whether the customer may see it on the status page. */
    shared?: boolean;
  }

  interface PhotosList {
    /** The photos, the cover first. */
    photos: Array<Photo>;
  }

  /** The ids of all photos of the order. The first is the cover. */
  interface PhotosOrder {
    /** The ids of all photos of the order; the first is the cover. */
    photoIds: Array<string>;
  }

  interface PredefinedGridItem {
    /** The id of the item, to which templates refer. It never changes. */
    id: string;
    /** The emoji that the button or entry shows: one of the curated set of `listEmoji`. */
    emoji: string;
    /** The name of the item in both languages. */
    label: LocalizedText;
    /** The unit of measure that is usual for the item. */
    unit: "sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform";
    /** The `slug` of the craft, then one to four English words to filter by. */
    tags: Array<string>;
  }

  interface PredefinedItemDomain {
    /** The public name in addresses and references. It never changes. */
    slug: string;
    /** The name of the craft in both languages. */
    label: LocalizedText;
  }

  interface PredefinedItemsCatalog {
    /** The predefined items. */
    items: Array<PredefinedGridItem>;
    /** The crafts that the templates are for. */
    domains: Array<PredefinedItemDomain>;
    /** The templates from which a grid can be created. */
    templates: Array<GridTemplate>;
  }

  /** An error response (RFC 9457) with a stable `code`; `title` is the HTTP status phrase. */
  interface Problem {
    /** Always `about:blank`: `code` says what happened. */
    type: string;
    /** The phrase of the HTTP status. */
    title: string;
    /** The HTTP status. */
    status: number;
    /** What is wrong with this request, for people. It may change. */
    detail: string;
    /** What happened, for programs. It never changes. */
    code: string;
    /** With `plan_limit` the number or bytes that the plan allows; with `too_large` the bytes that the operation accepts. */
    limit?: number;
    /** With `plan_limit`, how much of the limit is used. */
    current?: number;
    /** With `icon_in_use`, the ids of the grids with a button that shows the icon. */
    gridIds?: Array<string>;
    /** With `last_owner` and `subscription_running`, the id of the workshop that prevents it. */
    workshopId?: string;
    /** With `internal`, the id under which the server has logged the error; also in `X-Request-Id`. */
    requestId?: string;
  }

  interface ProfileEdit {
    /** The name of the person. Only letters, combining marks, decimal digits, spaces, emoji and ' ’ . , - &. */
    name?: string;
    /** The language of the account, in which it gets emails and the labels of grid templates: `en` (English) or `pl` (Polish). */
    locale?: "en" | "pl";
  }

  interface PushKey {
    /** The public key, 65 bytes in the base64url encoding. */
    key: string;
  }

  /** `service`: the host of the push service, which the browser has chosen. `current`: of this session. */
  interface PushSubscription {
    /** The id of the subscription. */
    id: string;
    /** The kinds of the inbox that it hears of. */
    kinds: Array<"question" | "accepted" | "declined" | "overdue" | "due_today" | "uncollected" | "unanswered" | "expiring" | "unsent" | "changed" | "over_limit" | "owed" | "unpaid">;
    /** Whether messages name the customer and the work. Otherwise they say what happened, and in which workshop. */
    details: boolean;
    /** The host of the push service, which the browser has chosen. */
    service: string;
    /** How the browser named itself when it signed in. */
    userAgent: string;
    /** Whether it is of the session that asks. */
    current: boolean;
    /** When it was made. */
    createdAt: string;
  }

  interface PushSubscriptionsList {
    /** The subscriptions, oldest first. */
    subscriptions: Array<PushSubscription>;
  }

  /** What can be read in two ways. `id` is its kind and the field, such as `decimals:unitPrice`. Until it is answered `proposed` holds. */
  interface Question {
    /** Its kind and the field: `decimals:unitPrice`, `days:dueOn`, `tax:unitPrice`, `column:unitPrice` and so on. */
    id: string;
    /** The question in words. */
    text: string;
    /** The answers that there are. */
    options: Array<Option>;
    /** The value that holds until the question is answered. */
    proposed: string;
    /** The index of the column that it is about. Absent where it asks for a column. */
    column?: number;
    /** The value that was answered; absent before. */
    answer?: string;
  }

  /** `name` is written as in its latest use. Names that differ only in case are the same recipient. */
  interface Recipient {
    /** The name, as written in its latest use. */
    name: string;
    /** When an estimate for the recipient was last changed, or an order for it created. */
    lastUsedAt: string;
    /** The address. Absent if none is known. */
    address?: string;
    /** The tax id. Absent if none is known. */
    taxId?: string;
    /** The email address. Absent if none is known. */
    email?: string;
    /** The telephone number. Absent if none is known. */
    phone?: string;
    /** The id of the customer of its latest estimate or order that names one. Absent if there is none. */
    customerId?: string;
  }

  interface RecipientsList {
    /** The recipients, the latest used first. */
    recipients: Array<Recipient>;
  }

  interface RemovedObject {
    /** What was deleted: `order`, `estimate`, `grid`, `photo` or `customer`; if included, `inboxItem`, `comment` and `payment`, too. */
    kind: "order" | "estimate" | "grid" | "photo" | "customer" | "invoice" | "inboxItem" | "comment" | "payment";
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
  }

  /** `since`: a moment; what happened from then on is sent again. */
  interface Replay {
    /** The moment from which on changes are sent again. */
    since: string;
  }

  /** The totals of a revision in the currency and with the taxes that it was confirmed with. `taxes` has an entry for each rate, the highest first, and for each kind, and none without a tax; `tax` is the sum of its amounts. `validUntil` is absent if no validity is stated. `number` is empty for revisions from before there were numbers. */
  interface RevisionTotals {
    /** The currency of all amounts, as ISO 4217 code, such as `EUR`. */
    currency: string;
    /** The amount of each line item. */
    lines: Array<LineAmount>;
    /** The sum of the line amounts. */
    subtotal: number;
    /** The amount that the markup adds. */
    markup: number;
    /** The amount that the discount subtracts, as a positive number. */
    discount: number;
    /** The amount before tax: `subtotal` plus `markup` minus `discount`; of gross prices, `total` minus `tax`. */
    net: number;
    /** The amount of tax, of all rates together. Absent if no tax is shown. */
    tax?: number;
    /** The tax of each rate, the highest rate first. */
    taxes: Array<TaxAmount>;
    /** The amount to pay: `net` plus `tax`. */
    total: number;
    /** The last day on which the estimate is valid. Absent if no validity is stated. */
    validUntil?: string;
    /** The number of the document. Empty if the revision was confirmed before there were numbers. */
    number: string;
    /** `gross` where lines, `subtotal`, `markup` and `discount` are with tax. Absent where they are net. */
    pricesShown?: "gross";
    /** `gross` where the unit prices of the revision are with tax. Absent where they are net. */
    pricesEntered?: "gross";
  }

  interface RevisionsEntitlement {
    /** The maximum number of revisions of an estimate. Null if there is none. */
    limitPerEstimate: number | null;
  }

  /** `row` is that of the file, `column` the index of its column. */
  interface RowError {
    /** The number of the row in the file, from 1, as a spreadsheet shows it. */
    row: number;
    /** The index of the column. Null where none is chosen for a field that is needed. */
    column: number | null;
    /** The field that the cell would be. */
    field: string;
    /** What is wrong: `missing`, `unmapped`, `no_value`, `too_long`, `too_many`, `not_a_number`, `out_of_range`, `other_currency`, `other_tax` (net where it should be gross, or the other way), `not_a_date`, `in_future` of a day that has to be past, `not_a_time`, `not_an_email`, `unknown_status`, `unknown_kind`, `unknown_language`, `unknown_emoji`; `unfit`: the rest of the row contradicts it, or it lacks what it belongs to; `differs`: the customer has another value, in the workshop or by an earlier row, and keeps it; `other_rate` of a tax rate that is not that of the workshop; `no_customer` of an email address that no customer of the order has; `sum` of a row of totals. */
    code: string;
    /** The same in words. */
    detail: string;
  }

  /** A cell, and what it would be: a number or a date as in JSON. */
  interface Sample {
    /** The cell as the file has it. */
    cell: string;
    /** The number or date as JSON has it. */
    value: string;
  }

  /** The workshop, as it was when the invoice was issued. */
  interface Seller {
    /** The name of the workshop. */
    name: string;
    /** Its address, in several lines. Absent if there is none. */
    address?: string;
    /** Its country (ISO 3166-1). Absent if it is not known. */
    country?: string;
    /** Its tax id. Absent if there is none. */
    taxId?: string;
    /** What its letterhead states of its registration. Absent if there is none. */
    registration?: string;
    /** Its email address. Absent if there is none. */
    email?: string;
    /** Its phone number. Absent if there is none. */
    phone?: string;
    /** Its bank account. Absent if there is none. */
    iban?: string;
  }

  interface SessionResponse {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** When the account signed in. */
    createdAt: string;
    /** When the session was last used; recorded once an hour. */
    lastSeenAt: string;
    /** The browser, as it names itself. */
    userAgent: string;
    /** Whether the request was sent with this session. */
    current: boolean;
  }

  interface SessionsList {
    /** The sessions, newest first. */
    sessions: Array<SessionResponse>;
    /** Where the next page begins: send it as `cursor`. Absent on the last page, and without `limit`. */
    nextCursor?: string;
  }

  /** A typed signature is the name itself. Strokes of a drawn one are lists of points [x, y], with y downwards. */
  interface Signature {
    /** `typed`: the name is the signature; or `drawn`. */
    kind: "typed" | "drawn";
    /** The strokes of a drawn signature: lists of points [x, y] with coordinates from 0 to 10,000 and y downwards. At most 32 KiB of JSON. Empty for a typed one. Default: `[]`. */
    strokes?: Array<Array<Array<number>>>;
  }

  interface SignedIn {
    /** The account. */
    user: AuthenticatedUser;
  }

  interface SolidBackground {
    /** `solid` (one colour) or `gradient`. */
    kind: "solid";
    /** The colour. */
    color: string;
  }

  interface StatusChange {
    /** The status that the order was given. */
    status: "todo" | "in_progress" | "done";
    /** When the order was given this status. */
    at: string;
  }

  /** The address of the status page of an order. */
  interface StatusLink {
    /** The address of the status page. Its token is in the fragment, which browsers do not send. */
    url: string;
  }

  interface StorageEntitlement {
    /** The bytes that the files of the workshop use. */
    usedBytes: number;
    /** The bytes that they may use. */
    limitBytes: number;
  }

  interface SuggestedIntents {
    /** 3 to 5 English suggestions of at most 80 characters. */
    en: Array<string>;
    /** 3 to 5 Polish suggestions of at most 80 characters. */
    pl: Array<string>;
  }

  /** The decision of the client that stands. */
  interface SummarizedDecision {
    /** What the client decided: `accepted` or `declined`. */
    outcome: "accepted" | "declined";
    /** When the client decided. */
    decidedAt: string;
    /** The number of the revision that the decision is about. */
    revisionNumber: number;
  }

  interface SummarizedHandoff {
    /** How the estimate was handed over. */
    kind: "message-copied" | "message-shared" | "pdf-shared" | "pdf-and-message-shared" | "email-opened";
    /** When the hand-off was recorded. */
    createdAt: string;
    /** The number of the latest revision at that time; 0 if there was none. */
    revisionNumber: number;
  }

  interface SummarizedRevision {
    /** The number of the revision. */
    number: number;
    /** When the estimate was confirmed. */
    confirmedAt: string;
    /** The amount to pay, with the currency and tax with which the revision was confirmed. */
    total: number;
    /** The last day on which the revision is valid. Absent if no validity is stated. */
    validUntil?: string;
  }

  /** The tax of the lines with one rate: `percent` of `net`, their part of the net sum. Of lines whose tax is no rate: `kind`, without label and percent, with an amount of 0. */
  interface TaxAmount {
    /** The name of the tax, such as `VAT`. Absent if it is no rate. */
    label?: string;
    /** The rate, in percent of the net amount. Absent if it is no rate. */
    percent?: number;
    /** The kind of tax that is no rate: `exempt`, `reverse_charge` or `outside`. */
    kind?: "exempt" | "reverse_charge" | "outside";
    /** The part of the net sum that has this tax. */
    net: number;
    /** The tax on it; 0 if it is no rate. */
    amount: number;
  }

  /** net = subtotal + markup - discount; `discount` is positive. `tax` is absent if no tax is set. With `pricesShown`, lines, subtotal, markup and discount are gross: total = subtotal + markup - discount, and net = total - tax. `taxes` is present if the lines have different taxes, or one that is no rate: the highest rate first, then the kinds. `tax` is the sum of its amounts. */
  interface Totals {
    /** The currency of all amounts, as ISO 4217 code, such as `EUR`. */
    currency: string;
    /** The amount of each line item. */
    lines: Array<LineAmount>;
    /** The sum of the line amounts. */
    subtotal: number;
    /** The amount that the markup adds. */
    markup: number;
    /** The amount that the discount subtracts, as a positive number. */
    discount: number;
    /** The amount before tax: `subtotal` plus `markup` minus `discount`; of gross prices, `total` minus `tax`. */
    net: number;
    /** The amount of tax, of all rates together. Absent if no tax is shown. */
    tax?: number;
    /** The tax of the lines by rate, the highest first. Present if the lines have different rates. */
    taxes?: Array<TaxAmount>;
    /** The amount to pay: `net` plus `tax`. */
    total: number;
    /** `gross` where lines, `subtotal`, `markup` and `discount` are with tax. Absent where they are net. */
    pricesShown?: "gross";
  }

  interface UndoneImport {
    /** How many records were deleted; of tiles, how many grids. */
    removed: number;
    /** What is there still of what the import created or changed. */
    kept: Array<KeptRecord>;
  }

  /** A Problem that lists every validation error. */
  interface ValidationError {
    /** Always `about:blank`: `code` says what happened. */
    type: string;
    /** The phrase of the HTTP status. */
    title: string;
    /** The HTTP status. */
    status: number;
    /** What is wrong with this request, for people. It may change. */
    detail: string;
    /** What happened, for programs. It never changes. */
    code: string;
    /** With `plan_limit` the number or bytes that the plan allows; with `too_large` the bytes that the operation accepts. */
    limit?: number;
    /** With `plan_limit`, how much of the limit is used. */
    current?: number;
    /** With `icon_in_use`, the ids of the grids with a button that shows the icon. */
    gridIds?: Array<string>;
    /** With `last_owner` and `subscription_running`, the id of the workshop that prevents it. */
    workshopId?: string;
    /** With `internal`, the id under which the server has logged the error; also in `X-Request-Id`. */
    requestId?: string;
    /** Every error of the request. */
    errors: Array<FieldError>;
  }

  interface Verification {
    /** The secret from the link of the email. It can be used once. */
    token: string;
    /** The password of the account from now on: 8 to 256 characters of any kind, not one of the most common passwords and not the email address. A password that a sign-up sent does not count. */
    password: string;
  }

  interface VerificationRequest {
    /** The email address. Upper and lower case are not distinguished. */
    email: string;
  }

  /** The decision of the estimate that the workshop voided last, while none stands. */
  interface VoidedClientDecision {
    /** When the voided decision was made. */
    decidedAt: string;
  }

  /** Body of a request. */
  interface VoidedDecision {
    /** Why the decision is voided. */
    reason: string;
  }

  /** That a decision no longer stands: who voided it and why, or the decision about a newer revision instead. */
  interface Voiding {
    /** When it was voided. */
    at: string;
    /** The `uid` of the member who voided it. Absent if another decision took its place. */
    byUid?: string;
    /** Why it was voided. Absent if another decision took its place. */
    reason?: string;
    /** The id of the decision about a newer revision that took the place of this decline. Absent otherwise. */
    supersededBy?: string;
  }

  interface Webhook {
    /** The id of the webhook. */
    id: string;
    /** Where messages are sent, with https. */
    url: string;
    /** The types of the events that it hears of, or `*` for all. */
    events: Array<string>;
    /** Whether messages are sent. */
    enabled: boolean;
    /** When it was made. */
    createdAt: string;
    /** What it is for. */
    description?: string;
    /** Why not: `gone` (the receiver said so), `failing` (for five days), or `owner`. Absent while it is enabled. */
    disabledReason?: "gone" | "failing" | "owner" | "owner_left";
  }

  interface WebhookEdit {
    /** Where messages are sent, with https. */
    url?: string;
    /** The types of the events that it hears of, or `*` for all. */
    events?: Array<"workshop.created" | "workshop.updated" | "plan.changed" | "invitation.created" | "invitation.deleted" | "member.joined" | "member.updated" | "member.left" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.rotated" | "customer.created" | "customer.updated" | "customer.deleted" | "customer.merged" | "customer.erased" | "order.created" | "order.updated" | "order.moved" | "order.details_updated" | "order.collected" | "order.agreed" | "payment.recorded" | "payment.voided" | "invoice.created" | "invoice.updated" | "invoice.deleted" | "invoice.issued" | "order.asked" | "order.answered" | "order.notified" | "photo.created" | "photo.updated" | "photo.deleted" | "order.link_renewed" | "order.deleted" | "estimate.created" | "estimate.updated" | "estimate.confirmed" | "estimate.deleted" | "estimate.shared" | "estimate.unshared" | "estimate.opened" | "estimate.accepted" | "estimate.declined" | "estimate.commented" | "decision.voided" | "inbox.dismissed" | "pdf.created" | "pdf.deleted" | "handoff.created" | "grid.created" | "grid.updated" | "grid.deleted" | "file.created" | "file.deleted" | "import.run" | "import.undone" | "*">;
    /** What it is for. */
    description?: string;
    /** Whether messages are sent. */
    enabled?: boolean;
  }

  interface WebhookSecret {
    /** The secret with which messages are signed. It is shown once. */
    secret: string;
  }

  /** `secret` is in no other response. */
  interface WebhookWithSecret {
    /** The webhook. */
    webhook: Webhook;
    /** The secret with which messages are signed. It is shown once. */
    secret: string;
  }

  interface WebhooksList {
    /** The webhooks, oldest first. */
    webhooks: Array<Webhook>;
  }

  /** The workshop as its members see it. An expired plan is already `free` here. */
  interface Workshop {
    /** The id of the object, a UUID (version 7). It never changes. */
    id: string;
    /** The name of the workshop, shown on PDFs. */
    name: string;
    /** A short line about the workshop, shown with its name. */
    tagline: string;
    /** The emoji that represents the workshop: one of the curated set of `listEmoji`. */
    logo: string;
    /** The name of the craftsperson, with which messages are signed. */
    crafterName: string;
    /** A text from which a client can draw the same avatar of the craftsperson every time. */
    crafterAvatarSeed: string;
    /** The preset background of the workshop's pages. */
    background: "paper" | "linen" | "sage" | "mist" | "blush" | "indigo" | "forest" | "plum" | "terracotta" | "charcoal" | "astral" | "ember" | "meadow" | "dusk" | "tide" | "orchid" | "copper" | "aurora" | "dawn" | "cloud";
    /** The typeface of titles. */
    titleFont: "sans" | "serif" | "didone" | "mono" | "rounded";
    /** The plan of the workshop: `free` or `pro`. */
    plan: "free" | "pro";
    /** When a time-limited `pro` plan ends: a trial or the paid period of a subscription. Null for `free` and for a plan without end. */
    planExpiresAt: string | null;
    /** Where the `pro` plan comes from: `grant` (given by the host), `trial` or `subscription`. Null for `free`. */
    planSource: "grant" | "trial" | "subscription" | null;
    /** Whether this is the workshop that was created with the account. */
    isDefault: boolean;
    /** The accounts that belong to the workshop. */
    members: Array<WorkshopMember>;
    /** When the object was created. */
    createdAt: string;
    /** A background of one colour or of a gradient, instead of `background`. Null or absent if there is none. */
    customBackground?: SolidBackground | GradientBackground | null;
    /** The colour of accents. Null or absent if the usual one is used. */
    accentColor?: string | null;
    /** The notes about the workshop. Absent if there are none. */
    context?: WorkshopContext;
    /** What the language model made of the notes. Absent if it has not been asked. */
    contextDerived?: WorkshopContextDerived;
  }

  interface WorkshopBilling {
    /** Whether the workshop is a customer of the payment provider. */
    hasAccount: boolean;
    /** Where the `pro` plan comes from: `grant` (given by the host), `trial` or `subscription`. Null for `free`. */
    planSource: "grant" | "trial" | "subscription" | null;
    /** Whether the subscription is canceled and ends with its paid period. */
    cancelAtPeriodEnd: boolean;
    /** Whether `pro` can be bought: `available`, `pro_purchase_disabled` (the host does not sell it) or `payments_not_configured`. */
    checkoutAvailability: "available" | "pro_purchase_disabled" | "payments_not_configured";
  }

  interface WorkshopContext {
    /** What the workshop does and how it works, in its own words. Empty if the notes were cleared. */
    notes: string;
    /** When the notes were last saved. */
    updatedAt: string;
  }

  interface WorkshopContextDerived {
    /** A summary of the notes in both languages, of at most 400 characters each. */
    summary: LocalizedText;
    /** What a client of this workshop may want, in both languages. */
    suggestedIntents: SuggestedIntents;
    /** The `updatedAt` of the notes that were summarized. */
    sourceUpdatedAt: string;
    /** When the summary was made. */
    generatedAt: string;
  }

  /** null clears a nullable field, an absent field is unchanged, and an empty edit changes nothing. */
  interface WorkshopEdit {
    /** The name of the workshop, shown on PDFs. */
    name?: string;
    /** A short line about the workshop, shown with its name. */
    tagline?: string;
    /** The emoji that represents the workshop: one of the curated set of `listEmoji`. */
    logo?: string;
    /** The name of the craftsperson, with which messages are signed. */
    crafterName?: string;
    /** The preset background of the workshop's pages. */
    background?: "paper" | "linen" | "sage" | "mist" | "blush" | "indigo" | "forest" | "plum" | "terracotta" | "charcoal" | "astral" | "ember" | "meadow" | "dusk" | "tide" | "orchid" | "copper" | "aurora" | "dawn" | "cloud";
    /** A background of one colour or of a gradient, instead of `background`. Null removes it. */
    customBackground?: SolidBackground | GradientBackground | null;
    /** The typeface of titles. */
    titleFont?: "sans" | "serif" | "didone" | "mono" | "rounded";
    /** The colour of accents. Null removes it. */
    accentColor?: string | null;
  }

  interface WorkshopEntitlementsUsage {
    /** The plan of the workshop: `free` or `pro`. */
    plan: "free" | "pro";
    /** When a time-limited `pro` plan ends: a trial or the paid period of a subscription. Null for `free` and for a plan without end. */
    planExpiresAt: string | null;
    /** What the plan allows about the mark of Backbench on PDFs. */
    brandMark: BrandMarkEntitlement;
    /** The storage of the workshop's files and its limit. */
    fileStorage: StorageEntitlement;
    /** How many revisions an estimate may have. */
    revisions: RevisionsEntitlement;
    /** The state of the subscription. */
    billing: WorkshopBilling;
  }

  interface WorkshopMember {
    /** The `uid` of the member's account. */
    id: string;
    /** The name of the person. */
    name: string;
    /** A text from which a client can draw the same avatar of the member every time. */
    avatarSeed: string;
    /** What the member may do. `owner`: everything. `member`: everything except members, invitations, billing, the audit trail and deleting the workshop. */
    role: "owner" | "member";
  }

  interface WorkshopNumbers {
    /** The first day of the period. */
    from: string;
    /** The last day of the period. */
    to: string;
    /** Confirmed estimates that are valid and not decided, and the sums of their totals. */
    openEstimates: CountedSums;
    /** The estimates that clients decided in the period. */
    decided: Decided;
    /** The months of the period, the earliest first. */
    months: Array<MonthNumbers>;
    /** Open orders whose day, and time, has passed. */
    late: number;
    /** Orders that are ready and not collected. */
    ready: number;
    /** Orders that were collected and not paid in full, and the sums of what is due for them. */
    owed: OwedSums;
  }

  interface WorkshopsList {
    /** The workshops of the account, newest first. */
    workshops: Array<Workshop>;
  }
}
