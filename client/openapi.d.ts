export interface paths {
    "/api/v1/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a URL is in Google
         * @description Answers within 25 seconds. A no needs two genuine result pages: what could not be read is a 503, never a no. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["checkIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/check/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check up to 2,000 URLs in the background
         * @description Charges 1 credit per URL at once; what fails is refunded. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["checkIndexBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/http-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch a URL and tell what it really answers
         * @description Answers within 25 seconds. A dead domain or silence is an answer too: `status` is 0 and `error` says why. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["checkHttpStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/http-status/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch up to 2,000 URLs in the background
         * @description Charges 1 credit per URL at once; what fails is refunded. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["checkHttpStatusBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keyword-track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a site among the results for keywords
         * @description One query is answered at once with 200, two or more are queued with 202. `rank` counts different organic results from the top of page 1; ads and boxes do not count. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["trackKeywords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checks/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an earlier answer again
         * @description Of a single check, also when the connection was lost meanwhile, or of an item of a batch. For tokens of any scope that any member of the account made.
         */
        get: operations["getCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get progress and results of a batch
         * @description Poll every few seconds until `completed_at` is set, or let the request wait; `results` are there from then on. For tokens of any scope that any member of the account made.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results as a table
         * @description For spreadsheets: a header, then one line per result; the columns differ by type. For tokens of any scope that any member of the account made.
         */
        get: operations["getResultsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/results.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results as a workbook
         * @description The table of `results.csv` as a spreadsheet of one sheet; every cell is text. For tokens of any scope that any member of the account made.
         */
        get: operations["getResultsXlsx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/results.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results line by line
         * @description One result to the line, as in `results` of the batch: to be read as it arrives. For tokens of any scope that any member of the account made.
         */
        get: operations["getResultsNdjson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches
         * @description Newest first, without results. For tokens of any scope that any member of the account made.
         */
        get: operations["listBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description What is not settled yet fails as `canceled` and is refunded; the webhook is sent. A batch that has ended stays as it is. Refused with 429 `allowance_exhausted` while nothing is left of the allowance; the batch then goes on. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try failed items again
         * @description A new batch of the items that failed on our side, with the same options, 1 credit each. Once per batch, after it has ended. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["retryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a batch again, or some of it
         * @description A new batch of the inputs of an ended one, as often as you like, 1 credit each: all of them, those with some results, or those named. Addresses can be checked for something else: the index of what is dead. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["checkBatchAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a batch with an earlier one
         * @description What became of each input: newly broken, fixed, changed, asked on one side only. Bad news is a 4xx, a 5xx, no HTTP answer or a soft 404; not indexed; not ranked. What has no answer on one side is `unknown`. For tokens of any scope that any member of the account made.
         */
        get: operations["compareBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batch/{batch_id}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Name a batch
         * @description For people: in the dashboard, and in the names of files. `reference` stays what it was. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["renameBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed
         * @description Newest first. An answer is compared with what was last told of its subject; a failure is never a change. Of the kinds that fit the first is told, with all fields that differ. For live tokens of any scope that any member of the account made.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is checked, with its history
         * @description In the order of the list, those that have left among them. `points` are stretches of equal answers, of the last 90 days unless `from` and `to` say otherwise; what is older than that holds the last answer of each day. For live tokens of any scope that any member of the account made.
         */
        get: operations["listSubjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what each run counted, for a chart
         * @description Newest first. Shares are of what was answered; `coverage` says how much that is. A run keeps 200 groups of device, country and tag: queries beyond them count in the whole only. For live tokens of any scope that any member of the account made.
         */
        get: operations["listSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monitors
         * @description Newest first. For live tokens of any scope that any member of the account made.
         */
        get: operations["listMonitors"];
        put?: never;
        /**
         * Check a list again and again
         * @description Exactly one of `urls`, `queries` and `sitemap_url`. Nothing is charged before the first run. A sitemap is read at once, and again before every run. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        post: operations["createMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a monitor
         * @description With what it costs: `credits_per_run`, and `credits_per_month` for the runs of the next 30 days. For live tokens of any scope that any member of the account made.
         */
        get: operations["getMonitor"];
        put?: never;
        post?: never;
        /**
         * Delete a monitor
         * @description A run that is at work ends; batches and the ledger stay. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        delete: operations["deleteMonitor"];
        options?: never;
        head?: never;
        /**
         * Change a monitor
         * @description Fields that are missing stay; null clears; lists, `schedule` and `notify` are replaced whole. A list and a sitemap may take each other’s place. It holds from the next run on. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        patch: operations["changeMonitor"];
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a monitor
         * @description A run that is at work ends. Losses that wait to be confirmed are dropped. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        post: operations["pauseMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a monitor
         * @description It goes on with its next due time; what it has missed is not caught up. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        post: operations["resumeMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a monitor now
         * @description Paused or not; its due times stay. Costs what any run does. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        post: operations["runMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a monitor
         * @description Newest first, those that were skipped among them, with the reason. For live tokens of any scope that any member of the account made.
         */
        get: operations["listMonitorRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was noted by hand
         * @description The latest moment first, whenever it was written down. For tokens of any scope that any member of the account made.
         */
        get: operations["listAnnotations"];
        put?: never;
        /**
         * Note something in the charts
         * @description A launch, a new template, an update of Google: what one will want to know when the line turns. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        post: operations["annotateMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{monitor_id}/annotations/{annotation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a note back
         * @description It is gone from every chart. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        delete: operations["deleteAnnotation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance
         * @description Exactly one number. For tokens of any scope that any member of the account made.
         */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/allowance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the allowance for work that nobody pays for
         * @description Checks that end without an answer, entries that do not fit, webhook tests, deliveries sent again and sitemaps cost no credit and weigh on this. It refills with time, and grows with the credits paid for answers. For tokens of any scope that any member of the account made.
         */
        get: operations["getAllowance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/alert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get when low credits are told
         * @description Below which balance, where, and whether it is below now. For live tokens of any scope that any member of the account made.
         */
        get: operations["getCreditAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change when low credits are told
         * @description When the balance falls below `threshold`, `credits.low` is sent to `webhook_url`, and a mail to each owner whose address is confirmed: within half a minute, and once until the balance has risen to it again. What is not given stays; null clears it. For live tokens of scope `manage` that an owner of the account made.
         */
        patch: operations["changeCreditAlert"];
        trace?: never;
    };
    "/api/v1/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get when monitors are told by mail
         * @description With each run, or once a day: at what time, and by the clock of which zone. For live tokens of any scope that any member of the account made.
         */
        get: operations["getDigest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change when monitors are told by mail
         * @description Mails about monitors with `notify.email` go to each owner whose address is confirmed. With `day` one mail tells of all that was found since the one before. What is gathered already is told at the new time. For live tokens of scope `manage` that an owner of the account made.
         */
        patch: operations["changeDigest"];
        trace?: never;
    };
    "/api/v1/credits/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every movement of credits
         * @description Newest first, numbered without gaps, each with the balance after it. For live tokens of any scope that any member of the account made.
         */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List index verdicts or ranks over time
         * @description Newest first. Kept longer than results. For live tokens of any scope that any member of the account made.
         */
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get who one is
         * @description The account, whoever made the token, and what the token may do. For tokens of any scope that any member of the account made.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what in the account
         * @description When and from where, by the addresses of then; newest first. Kept for 400 days. For live tokens of any scope that an owner of the account made.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description All of the account for its owners, for a member those that he made; newest first, revoked ones last. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Make a token
         * @description Its rights are its scope (by default `check`) and the present role of its maker together. For live tokens of scope `manage`, without a credit limit or an expiry date, that a member or an owner of the account made.
         */
        post: operations["makeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description From the next request on it is not valid. A member revokes what he made. For live tokens of scope `manage` that a member or an owner of the account made.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is in the account
         * @description Who came first before the others, and who was invited. For live tokens of any scope that any member of the account made.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite somebody
         * @description By a mail where the service sends mail, which takes a confirmed address of your own; else by a `link` to hand over, shown this once. It is good for 7 days, for this address alone; 20 may be open, and 50 a day are mailed. For live tokens of scope `manage`, without a credit limit or an expiry date, that an owner of the account made.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description He loses his tokens and sessions in this account at once. The last owner stays. For live tokens of scope `manage`, without a credit limit or an expiry date, that an owner of the account made.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description It counts from the next request on. The last owner stays one. For live tokens of scope `manage`, without a credit limit or an expiry date, that an owner of the account made.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/api/v1/webhooks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signing secret
         * @description As Standard Webhooks has it: `whsec_` and base64. A test token gets the secret that webhooks of test tokens are signed with, and no other. For tokens of scope `manage` that an owner of the account made.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description For 24 hours the one before signs beside the new one, so that receivers can change at any moment. For live tokens of scope `manage` that an owner of the account made.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send signed samples to an address
         * @description One of each type, or of the type given, marked `test`; waits for the receiver. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first. Kept as long as results. For tokens of any scope that any member of the account made.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with every attempt
         * @description First attempt first. For tokens of any scope that any member of the account made.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{batch_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Whatever became of it before, from the beginning of the schedule, with the same `webhook-id`. For tokens of scope `check` or `manage` that a member or an owner of the account made.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description OpenAPI 3.1, for generators and viewers.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether the process lives
         * @description Asks nothing of the database.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether requests can be served
         * @description Whether database, migrations and queue are there.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus
         * @description For the operator, who sends the `METRICS_TOKEN` of the settings as a bearer token.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    indexBatchCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch of type index has ended
         * @description Sent to the `webhook_url` of the batch, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["indexBatchCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    httpBatchCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch of type http has ended
         * @description Sent to the `webhook_url` of the batch, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["httpBatchCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    keywordBatchCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A batch of type keyword has ended
         * @description Sent to the `webhook_url` of the batch, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["keywordBatchCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    creditsLow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credits run low
         * @description Sent to the `webhook_url` of the alert (`PATCH /credits/alert`), signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["creditsLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    monitorChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run of a monitor found changes
         * @description Sent to the `webhook_url` in `notify` of the monitor, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["monitorChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    monitorRunCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run found no change, and `notify.when` is `always`
         * @description Sent to the `webhook_url` in `notify` of the monitor, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["monitorRunCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    monitorRunSkipped: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run did not take place
         * @description Sent to the `webhook_url` in `notify` of the monitor, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["monitorRunSkipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    monitorCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Every address of a monitor has left
         * @description Sent to the `webhook_url` in `notify` of the monitor, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["monitorCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    monitorResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A monitor that could not be paid for goes on
         * @description Sent to the `webhook_url` in `notify` of the monitor, signed as Standard Webhooks has it. Repeated for up to three days until it is answered with a 2xx.
         */
        post: operations["monitorResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        IndexRequest: {
            /** @example https://example.com/shoes */
            url: string;
        };
        IndexResult: {
            /** @description As it was sent */
            url: string;
            /** @description Never false by guess: a no needs two genuine result pages */
            is_indexed: boolean;
            /** @constant */
            engine: "google";
            /** @description Null when not indexed */
            match: ("exact" | "variant") | null;
            /** @description The address as Google shows it, or the page that its translation or AMP viewer shows; null when not indexed */
            matched_url: string | null;
            /** @description Which search showed it; null when not indexed */
            found_by: ("url" | "site") | null;
            /** @description Not indexed, but Google shows this address of the same path instead */
            similar_url: string | null;
            /**
             * @description Who read Google for us
             * @example serper
             */
            provider: string;
            /** @description With `include=evidence` only: what was asked to find it */
            asked?: {
                /** @description As Google was asked */
                query: string;
                /** @description Who asked it for us */
                provider: string;
                /** @description Different organic results on the pages read */
                results: number;
            }[];
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /** @constant */
            success: true;
            /** @example 48151 */
            request_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @description The balance after the charge */
            credits_remaining: number;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        IndexBulkRequest: {
            /** @description Checked in any order, answered in this one */
            urls: string[];
            /** @example https://example.com/hooks/sonde */
            webhook_url?: string;
            /** @example october-crawl */
            reference?: string;
            /**
             * Format: uuid
             * @description Your own id for batches that belong together; the same for all of them
             * @example 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11
             */
            submission_id?: string;
            /**
             * @description Check and charge equal entries once
             * @default false
             */
            dedupe?: boolean;
            /**
             * @description `skip`: entries that do not fit keep their place as failed, uncharged; else they refuse the request
             * @default reject
             * @enum {string}
             */
            on_invalid?: "reject" | "skip";
        };
        BatchAccepted: {
            /** @constant */
            success: true;
            /** @description For people */
            message: string;
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            /** @description Entries in the batch, skipped ones included */
            total: number;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /**
             * Format: uri
             * @description The batch; ask every few seconds, or give a webhook_url
             */
            poll_url: string;
            /** @description The balance after the charge */
            credits_remaining: number;
            /** @description Entries equal to an earlier one; with `dedupe` they are left out */
            duplicates: number;
            reference: string | null;
            /**
             * Format: uuid
             * @description Your own id for batches that belong together; the same for all of them
             * @example 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11
             */
            submission_id?: string;
            /**
             * Format: uuid
             * @description The batch whose failed items these are
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            retry_of?: string;
            /**
             * Format: uuid
             * @description The batch whose inputs these are
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            again_of?: string;
            /**
             * @description A test token asked for it
             * @constant
             */
            is_test?: true;
            /**
             * Format: uuid
             * @description Keyword batches only: the batch_id
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            snapshot_id?: string;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        HttpStatusRequest: {
            /** @example https://example.com/shoes */
            url: string;
            /**
             * @description false reports the first answer, redirect or not
             * @default true
             */
            follow_redirects?: boolean;
            /**
             * @description Under whose name the target is asked: our own, Google’s crawler’s or a browser’s
             * @default sonde
             * @enum {string}
             */
            user_agent?: "sonde" | "googlebot" | "browser";
        };
        HttpStatusResult: {
            /** @description As it was sent */
            url: string;
            /** @description Of the last answer after at most 10 redirects; 0 when none came, and `error` says why */
            status: number;
            /** @description The page answers 200 and says that it is not there */
            is_soft404: boolean;
            /** @description Of the first answer */
            initial_status: number;
            redirect_count: number;
            /** @description Each address that redirected, in order; addresses are cut at 512 characters */
            redirects: {
                url: string;
                status: number;
            }[];
            /** @description Redirects left out of the middle, where they were too long to keep */
            redirects_cut?: number;
            /** @description The address asked last */
            final_url: string;
            content_type: string | null;
            /** @description From the first request to the last headers */
            response_time_ms: number;
            /** @description false for anything but a readable 200 HTML page */
            soft404_checked: boolean;
            /**
             * @description The signals that spoke for a soft 404
             * @example [
             *       "title_not_found",
             *       "short_text"
             *     ]
             */
            soft404_reasons: string[];
            /** @description Who stopped the check, such as cloudflare; null when nobody did */
            bot_wall: string | null;
            /** @description The title of the page, which is read where the status is 200, 403, 429 or 503 */
            title?: string | null;
            /** @description Canonical address, from the head of the page or a `Link` header */
            canonical?: string | null;
            /** @description Where the page asks Google not to index it: in a robots meta tag or by `X-Robots-Tag` */
            noindex?: ("meta" | "header") | null;
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /**
             * @description What was wrong, in a sentence, where `error` is `invalid_response` or `tls_error`
             * @example The response is not valid HTTP: Duplicate Content-Length.
             */
            error_detail?: string;
            /** @description Why no answer came, or what was wrong with the last; null when all was well. Cookies are not kept between redirects, so a site that redirects until its cookie comes back is a `redirect_loop`. `headers_too_large`: more than 64 KiB of headers. */
            error: ("dns_not_found" | "connect_refused" | "connect_timeout" | "connection_reset" | "response_timeout" | "tls_error" | "invalid_response" | "headers_too_large" | "too_many_redirects" | "redirect_loop" | "invalid_redirect") | null;
            /** @constant */
            success: true;
            /** @example 48151 */
            request_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @description The balance after the charge */
            credits_remaining: number;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        HttpStatusBulkRequest: {
            /** @description Checked in any order, answered in this one */
            urls: string[];
            /** @example https://example.com/hooks/sonde */
            webhook_url?: string;
            /** @example october-crawl */
            reference?: string;
            /**
             * Format: uuid
             * @description Your own id for batches that belong together; the same for all of them
             * @example 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11
             */
            submission_id?: string;
            /**
             * @description Check and charge equal entries once
             * @default false
             */
            dedupe?: boolean;
            /**
             * @description `skip`: entries that do not fit keep their place as failed, uncharged; else they refuse the request
             * @default reject
             * @enum {string}
             */
            on_invalid?: "reject" | "skip";
            /**
             * @description false reports the first answer, redirect or not
             * @default true
             */
            follow_redirects?: boolean;
            /**
             * @description Under whose name the target is asked: our own, Google’s crawler’s or a browser’s
             * @default sonde
             * @enum {string}
             */
            user_agent?: "sonde" | "googlebot" | "browser";
        };
        KeywordRequest: {
            queries: components["schemas"]["KeywordQuery"][];
            /** @example https://example.com/hooks/sonde */
            webhook_url?: string;
            /** @example october-crawl */
            reference?: string;
            /**
             * Format: uuid
             * @description Your own id for batches that belong together; the same for all of them
             * @example 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11
             */
            submission_id?: string;
            /**
             * @description Check and charge equal entries once
             * @default false
             */
            dedupe?: boolean;
            /**
             * @description `skip`: entries that do not fit keep their place as failed, uncharged; else they refuse the request
             * @default reject
             * @enum {string}
             */
            on_invalid?: "reject" | "skip";
        };
        KeywordQuery: {
            /**
             * @description A site such as `example.com`, or an address on one
             * @example example.com
             */
            url: string;
            /** @example running shoes */
            keyword: string;
            /**
             * @description One that Google knows; UK is read as GB
             * @default US
             */
            country?: string;
            /**
             * @description ISO 639-1
             * @default en
             */
            language?: string;
            /** @default 1 */
            start_page?: number;
            /** @description `start_page` or more; if not given 10, or 2 with `full` */
            end_page?: number;
            /**
             * @description Whose results; the same as `brd_mobile`
             * @default desktop
             * @enum {string}
             */
            device?: "desktop" | "mobile";
            /**
             * @description true: results on a phone
             * @default false
             */
            brd_mobile?: boolean;
            /**
             * @description Others to look for on the same pages, each like `url`; at the same price
             * @example [
             *       "competitor.example"
             *     ]
             */
            competitors?: string[];
            /** @description `results`: every organic result on the pages read, 100 at most; kept for 30 days, never longer than the item itself. Evidence is asked for in the address: `?include=evidence` */
            include?: "results"[];
            /**
             * @description Read on to `end_page` after the match; without `end_page` to page 2 only
             * @default false
             */
            full?: boolean;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match?: "site" | "host" | "page" | "prefix";
            /** @description The caller's own name for the query */
            tag?: string;
        };
        RankResult: {
            keyword: string;
            target_url: string;
            country: string;
            language: string;
            /** @enum {string} */
            device: "desktop" | "mobile";
            start_page: number;
            end_page: number;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match: "site" | "host" | "page" | "prefix";
            tag: string | null;
            /** @description Who else was looked for */
            competitor_urls?: string[];
            /**
             * @description Read on to `end_page` after the match
             * @constant
             */
            full?: true;
            include?: "results"[];
            found: boolean;
            /** @description Place among the organic results, from the top of page 1; null exactly when `found` is false */
            rank: number | null;
            /** @description The result that matched; null exactly when `found` is false */
            ranked_url: string | null;
            page: number | null;
            position_on_page: number | null;
            pages_searched: number;
            featured_snippet_url: string | null;
            /**
             * @description Who read Google for us
             * @example serper
             */
            provider: string;
            /** @description In the order of the query; there when it named some */
            competitors?: {
                /** @description As it was sent */
                url: string;
                rank: number | null;
                ranked_url: string | null;
            }[];
            /** @description With `include=evidence` only: what was asked to find it */
            asked?: {
                /** @description As Google was asked */
                query: string;
                /** @description Who asked it for us */
                provider: string;
                /** @description Different organic results on the pages read */
                results: number;
            }[];
            /** @description With `include: ["results"]` in the query, where it is asked for */
            results?: components["schemas"]["FoundResult"][];
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /** @constant */
            success: true;
            /** @example 48151 */
            request_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @description The balance after the charge */
            credits_remaining: number;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        FoundResult: {
            position: number;
            url: string;
            title: string;
            /** @description Null where the provider does not say it */
            page: number | null;
        };
        EarlierCheck: components["schemas"]["EarlierIndexCheck"] | components["schemas"]["EarlierHttpStatusCheck"] | components["schemas"]["EarlierRankCheck"] | components["schemas"]["EarlierFailedUrlCheck"] | components["schemas"]["EarlierFailedRankCheck"];
        EarlierIndexCheck: {
            /** @description As it was sent */
            url: string;
            /** @description Never false by guess: a no needs two genuine result pages */
            is_indexed: boolean;
            /** @constant */
            engine: "google";
            /** @description Null when not indexed */
            match: ("exact" | "variant") | null;
            /** @description The address as Google shows it, or the page that its translation or AMP viewer shows; null when not indexed */
            matched_url: string | null;
            /** @description Which search showed it; null when not indexed */
            found_by: ("url" | "site") | null;
            /** @description Not indexed, but Google shows this address of the same path instead */
            similar_url: string | null;
            /**
             * @description Who read Google for us
             * @example serper
             */
            provider: string;
            /** @description With `include=evidence` only: what was asked to find it */
            asked?: {
                /** @description As Google was asked */
                query: string;
                /** @description Who asked it for us */
                provider: string;
                /** @description Different organic results on the pages read */
                results: number;
            }[];
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "success";
            /** @description 1; 0 for a test token */
            credits: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @constant */
            success: true;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /** @description Null for a single check */
            batch_id: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        EarlierHttpStatusCheck: {
            /** @description As it was sent */
            url: string;
            /** @description Of the last answer after at most 10 redirects; 0 when none came, and `error` says why */
            status: number;
            /** @description The page answers 200 and says that it is not there */
            is_soft404: boolean;
            /** @description Of the first answer */
            initial_status: number;
            redirect_count: number;
            /** @description Each address that redirected, in order; addresses are cut at 512 characters */
            redirects: {
                url: string;
                status: number;
            }[];
            /** @description Redirects left out of the middle, where they were too long to keep */
            redirects_cut?: number;
            /** @description The address asked last */
            final_url: string;
            content_type: string | null;
            /** @description From the first request to the last headers */
            response_time_ms: number;
            /** @description false for anything but a readable 200 HTML page */
            soft404_checked: boolean;
            /**
             * @description The signals that spoke for a soft 404
             * @example [
             *       "title_not_found",
             *       "short_text"
             *     ]
             */
            soft404_reasons: string[];
            /** @description Who stopped the check, such as cloudflare; null when nobody did */
            bot_wall: string | null;
            /** @description The title of the page, which is read where the status is 200, 403, 429 or 503 */
            title?: string | null;
            /** @description Canonical address, from the head of the page or a `Link` header */
            canonical?: string | null;
            /** @description Where the page asks Google not to index it: in a robots meta tag or by `X-Robots-Tag` */
            noindex?: ("meta" | "header") | null;
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /**
             * @description What was wrong, in a sentence, where `error` is `invalid_response` or `tls_error`
             * @example The response is not valid HTTP: Duplicate Content-Length.
             */
            error_detail?: string;
            /** @description Why no answer came, or what was wrong with the last; null when all was well. Cookies are not kept between redirects, so a site that redirects until its cookie comes back is a `redirect_loop`. `headers_too_large`: more than 64 KiB of headers. */
            error: ("dns_not_found" | "connect_refused" | "connect_timeout" | "connection_reset" | "response_timeout" | "tls_error" | "invalid_response" | "headers_too_large" | "too_many_redirects" | "redirect_loop" | "invalid_redirect") | null;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "success";
            /** @description 1; 0 for a test token */
            credits: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @constant */
            success: true;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /** @description Null for a single check */
            batch_id: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        EarlierRankCheck: {
            keyword: string;
            target_url: string;
            country: string;
            language: string;
            /** @enum {string} */
            device: "desktop" | "mobile";
            start_page: number;
            end_page: number;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match: "site" | "host" | "page" | "prefix";
            tag: string | null;
            /** @description Who else was looked for */
            competitor_urls?: string[];
            /**
             * @description Read on to `end_page` after the match
             * @constant
             */
            full?: true;
            include?: "results"[];
            found: boolean;
            /** @description Place among the organic results, from the top of page 1; null exactly when `found` is false */
            rank: number | null;
            /** @description The result that matched; null exactly when `found` is false */
            ranked_url: string | null;
            page: number | null;
            position_on_page: number | null;
            pages_searched: number;
            featured_snippet_url: string | null;
            /**
             * @description Who read Google for us
             * @example serper
             */
            provider: string;
            /** @description In the order of the query; there when it named some */
            competitors?: {
                /** @description As it was sent */
                url: string;
                rank: number | null;
                ranked_url: string | null;
            }[];
            /** @description With `include=evidence` only: what was asked to find it */
            asked?: {
                /** @description As Google was asked */
                query: string;
                /** @description Who asked it for us */
                provider: string;
                /** @description Different organic results on the pages read */
                results: number;
            }[];
            /** @description With `include: ["results"]` in the query, where it is asked for */
            results?: components["schemas"]["FoundResult"][];
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "success";
            /** @description 1; 0 for a test token */
            credits: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @constant */
            success: true;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /** @description Null for a single check */
            batch_id: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        EarlierFailedUrlCheck: {
            /** @description As it was sent */
            url: string;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "failed";
            /** @constant */
            credits: 0;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /**
             * @description Why there is no answer; the credit is back
             * @enum {string}
             */
            error: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
            /** @description The same for people */
            message: string;
            /** @constant */
            success: true;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /** @description Null for a single check */
            batch_id: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        EarlierFailedRankCheck: {
            keyword: string | null;
            target_url: string | null;
            country: string | null;
            language: string | null;
            /** @enum {string} */
            device?: "desktop" | "mobile";
            start_page?: number;
            end_page?: number;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match?: "site" | "host" | "page" | "prefix";
            tag: string | null;
            /** @description Who else was looked for */
            competitor_urls?: string[];
            /**
             * @description Read on to `end_page` after the match
             * @constant
             */
            full?: true;
            include?: "results"[];
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "failed";
            /** @constant */
            credits: 0;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /**
             * @description Why there is no answer; the credit is back
             * @enum {string}
             */
            error: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
            /** @description The same for people */
            message: string;
            /** @constant */
            success: true;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /** @description Null for a single check */
            batch_id: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        BatchAnswer: components["schemas"]["IndexBatch"] | components["schemas"]["HttpStatusBatch"] | components["schemas"]["RankBatch"];
        IndexBatch: {
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            /** @constant */
            type: "index";
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            /** @example 45% */
            progress: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            canceled_at: string | null;
            /** @description Present while checks wait for a search provider to answer again */
            waiting?: {
                /**
                 * @description What these checks fail with if it does not pass
                 * @enum {string}
                 */
                reason: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
                /**
                 * Format: date-time
                 * @description When those that wait longest are tried again, at the latest
                 * @example 2026-11-20T09:41:05+00:00
                 */
                until: string;
            };
            reference: string | null;
            /** @description What people call it; null until somebody names it */
            name: string | null;
            webhook_url: string | null;
            credits_charged: number;
            credits_refunded: number;
            /** @description Null until the batch has ended */
            results_expire_at: string | null;
            /** @description What this batch is a part of; null for one of its own */
            submission_id: string | null;
            /** @description The batch whose failed items these were */
            retry_of: string | null;
            /** @description The batch that tries the failed items again */
            retried_as: string | null;
            /** @description The batch whose inputs, or some of them, were checked again */
            again_of: string | null;
            /** @description The monitor whose run it is of; null for one that was submitted */
            monitor_id: string | null;
            /** @description The run of that monitor */
            run_id: string | null;
            /** @description A test token asked for it: its answers are invented, and nothing is charged */
            is_test: boolean;
            summary: components["schemas"]["IndexSummary"];
            /** @constant */
            success: true;
            /** @description Not there while the batch runs or with `results=none`; null when no longer kept */
            results?: (components["schemas"]["IndexItem"] | components["schemas"]["FailedUrlItem"])[] | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        IndexSummary: {
            indexed: number;
            not_indexed: number;
            /** @description Canceled before they were checked, and refunded */
            canceled: number;
            /** @description Entries that did not fit, never charged */
            skipped: number;
        };
        IndexItem: {
            /** @description As it was sent */
            url: string;
            /** @description Never false by guess: a no needs two genuine result pages */
            is_indexed: boolean;
            /** @constant */
            engine: "google";
            /** @description Null when not indexed */
            match: ("exact" | "variant") | null;
            /** @description The address as Google shows it, or the page that its translation or AMP viewer shows; null when not indexed */
            matched_url: string | null;
            /** @description Which search showed it; null when not indexed */
            found_by: ("url" | "site") | null;
            /** @description Not indexed, but Google shows this address of the same path instead */
            similar_url: string | null;
            /**
             * @description Who read Google for us
             * @example serper
             */
            provider: string;
            /** @description With `include=evidence` only: what was asked to find it */
            asked?: {
                /** @description As Google was asked */
                query: string;
                /** @description Who asked it for us */
                provider: string;
                /** @description Different organic results on the pages read */
                results: number;
            }[];
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "success";
            /** @description 1; 0 for a test token */
            credits: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
        };
        FailedUrlItem: {
            /** @description As it was sent */
            url: string;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "failed";
            /** @constant */
            credits: 0;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /**
             * @description Why there is no answer; the credit is back
             * @enum {string}
             */
            error: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
            /** @description The same for people */
            message: string;
        };
        HttpStatusBatch: {
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            /** @constant */
            type: "http";
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            /** @example 45% */
            progress: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            canceled_at: string | null;
            /** @description Present while checks wait for a search provider to answer again */
            waiting?: {
                /**
                 * @description What these checks fail with if it does not pass
                 * @enum {string}
                 */
                reason: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
                /**
                 * Format: date-time
                 * @description When those that wait longest are tried again, at the latest
                 * @example 2026-11-20T09:41:05+00:00
                 */
                until: string;
            };
            reference: string | null;
            /** @description What people call it; null until somebody names it */
            name: string | null;
            webhook_url: string | null;
            credits_charged: number;
            credits_refunded: number;
            /** @description Null until the batch has ended */
            results_expire_at: string | null;
            /** @description What this batch is a part of; null for one of its own */
            submission_id: string | null;
            /** @description The batch whose failed items these were */
            retry_of: string | null;
            /** @description The batch that tries the failed items again */
            retried_as: string | null;
            /** @description The batch whose inputs, or some of them, were checked again */
            again_of: string | null;
            /** @description The monitor whose run it is of; null for one that was submitted */
            monitor_id: string | null;
            /** @description The run of that monitor */
            run_id: string | null;
            /** @description A test token asked for it: its answers are invented, and nothing is charged */
            is_test: boolean;
            summary: components["schemas"]["HttpStatusSummary"];
            /** @constant */
            success: true;
            /** @description Not there while the batch runs or with `results=none`; null when no longer kept */
            results?: (components["schemas"]["HttpStatusItem"] | components["schemas"]["FailedUrlItem"])[] | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        HttpStatusSummary: {
            status_1xx: number;
            status_2xx: number;
            status_3xx: number;
            status_4xx: number;
            status_5xx: number;
            status_other: number;
            redirected: number;
            soft404: number;
            bot_wall: number;
            unreachable: number;
            /** @description Canceled before they were checked, and refunded */
            canceled: number;
            /** @description Entries that did not fit, never charged */
            skipped: number;
        };
        HttpStatusItem: {
            /** @description As it was sent */
            url: string;
            /** @description Of the last answer after at most 10 redirects; 0 when none came, and `error` says why */
            status: number;
            /** @description The page answers 200 and says that it is not there */
            is_soft404: boolean;
            /** @description Of the first answer */
            initial_status: number;
            redirect_count: number;
            /** @description Each address that redirected, in order; addresses are cut at 512 characters */
            redirects: {
                url: string;
                status: number;
            }[];
            /** @description Redirects left out of the middle, where they were too long to keep */
            redirects_cut?: number;
            /** @description The address asked last */
            final_url: string;
            content_type: string | null;
            /** @description From the first request to the last headers */
            response_time_ms: number;
            /** @description false for anything but a readable 200 HTML page */
            soft404_checked: boolean;
            /**
             * @description The signals that spoke for a soft 404
             * @example [
             *       "title_not_found",
             *       "short_text"
             *     ]
             */
            soft404_reasons: string[];
            /** @description Who stopped the check, such as cloudflare; null when nobody did */
            bot_wall: string | null;
            /** @description The title of the page, which is read where the status is 200, 403, 429 or 503 */
            title?: string | null;
            /** @description Canonical address, from the head of the page or a `Link` header */
            canonical?: string | null;
            /** @description Where the page asks Google not to index it: in a robots meta tag or by `X-Robots-Tag` */
            noindex?: ("meta" | "header") | null;
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /**
             * @description What was wrong, in a sentence, where `error` is `invalid_response` or `tls_error`
             * @example The response is not valid HTTP: Duplicate Content-Length.
             */
            error_detail?: string;
            /** @description Why no answer came, or what was wrong with the last; null when all was well. Cookies are not kept between redirects, so a site that redirects until its cookie comes back is a `redirect_loop`. `headers_too_large`: more than 64 KiB of headers. */
            error: ("dns_not_found" | "connect_refused" | "connect_timeout" | "connection_reset" | "response_timeout" | "tls_error" | "invalid_response" | "headers_too_large" | "too_many_redirects" | "redirect_loop" | "invalid_redirect") | null;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "success";
            /** @description 1; 0 for a test token */
            credits: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
        };
        RankBatch: {
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            /** @constant */
            type: "keyword";
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            /** @example 45% */
            progress: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            canceled_at: string | null;
            /** @description Present while checks wait for a search provider to answer again */
            waiting?: {
                /**
                 * @description What these checks fail with if it does not pass
                 * @enum {string}
                 */
                reason: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
                /**
                 * Format: date-time
                 * @description When those that wait longest are tried again, at the latest
                 * @example 2026-11-20T09:41:05+00:00
                 */
                until: string;
            };
            reference: string | null;
            /** @description What people call it; null until somebody names it */
            name: string | null;
            webhook_url: string | null;
            credits_charged: number;
            credits_refunded: number;
            /** @description Null until the batch has ended */
            results_expire_at: string | null;
            /** @description What this batch is a part of; null for one of its own */
            submission_id: string | null;
            /** @description The batch whose failed items these were */
            retry_of: string | null;
            /** @description The batch that tries the failed items again */
            retried_as: string | null;
            /** @description The batch whose inputs, or some of them, were checked again */
            again_of: string | null;
            /** @description The monitor whose run it is of; null for one that was submitted */
            monitor_id: string | null;
            /** @description The run of that monitor */
            run_id: string | null;
            /** @description A test token asked for it: its answers are invented, and nothing is charged */
            is_test: boolean;
            summary: components["schemas"]["RankSummary"];
            /** @constant */
            success: true;
            /** @description Not there while the batch runs or with `results=none`; null when no longer kept */
            results?: (components["schemas"]["RankItem"] | components["schemas"]["FailedRankItem"])[] | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        RankSummary: {
            ranked: number;
            not_ranked: number;
            top_3: number;
            top_10: number;
            top_20: number;
            top_100: number;
            /** @description Canceled before they were checked, and refunded */
            canceled: number;
            /** @description Entries that did not fit, never charged */
            skipped: number;
        };
        RankItem: {
            keyword: string;
            target_url: string;
            country: string;
            language: string;
            /** @enum {string} */
            device: "desktop" | "mobile";
            start_page: number;
            end_page: number;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match: "site" | "host" | "page" | "prefix";
            tag: string | null;
            /** @description Who else was looked for */
            competitor_urls?: string[];
            /**
             * @description Read on to `end_page` after the match
             * @constant
             */
            full?: true;
            include?: "results"[];
            found: boolean;
            /** @description Place among the organic results, from the top of page 1; null exactly when `found` is false */
            rank: number | null;
            /** @description The result that matched; null exactly when `found` is false */
            ranked_url: string | null;
            page: number | null;
            position_on_page: number | null;
            pages_searched: number;
            featured_snippet_url: string | null;
            /**
             * @description Who read Google for us
             * @example serper
             */
            provider: string;
            /** @description In the order of the query; there when it named some */
            competitors?: {
                /** @description As it was sent */
                url: string;
                rank: number | null;
                ranked_url: string | null;
            }[];
            /** @description With `include=evidence` only: what was asked to find it */
            asked?: {
                /** @description As Google was asked */
                query: string;
                /** @description Who asked it for us */
                provider: string;
                /** @description Different organic results on the pages read */
                results: number;
            }[];
            /** @description With `include: ["results"]` in the query, where it is asked for */
            results?: components["schemas"]["FoundResult"][];
            /**
             * @description Invented, by the sandbox or for a test token
             * @constant
             */
            simulated?: true;
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "success";
            /** @description 1; 0 for a test token */
            credits: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
        };
        FailedRankItem: {
            keyword: string | null;
            target_url: string | null;
            country: string | null;
            language: string | null;
            /** @enum {string} */
            device?: "desktop" | "mobile";
            start_page?: number;
            end_page?: number;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match?: "site" | "host" | "page" | "prefix";
            tag: string | null;
            /** @description Who else was looked for */
            competitor_urls?: string[];
            /**
             * @description Read on to `end_page` after the match
             * @constant
             */
            full?: true;
            include?: "results"[];
            /** @example 48151 */
            request_id: number;
            /** @constant */
            state: "failed";
            /** @constant */
            credits: 0;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /**
             * @description Why there is no answer; the credit is back
             * @enum {string}
             */
            error: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
            /** @description The same for people */
            message: string;
        };
        BatchList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Batch"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        Batch: {
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            /** @example 45% */
            progress: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            canceled_at: string | null;
            /** @description Present while checks wait for a search provider to answer again */
            waiting?: {
                /**
                 * @description What these checks fail with if it does not pass
                 * @enum {string}
                 */
                reason: "invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled";
                /**
                 * Format: date-time
                 * @description When those that wait longest are tried again, at the latest
                 * @example 2026-11-20T09:41:05+00:00
                 */
                until: string;
            };
            reference: string | null;
            /** @description What people call it; null until somebody names it */
            name: string | null;
            webhook_url: string | null;
            credits_charged: number;
            credits_refunded: number;
            /** @description Null until the batch has ended */
            results_expire_at: string | null;
            /** @description What this batch is a part of; null for one of its own */
            submission_id: string | null;
            /** @description The batch whose failed items these were */
            retry_of: string | null;
            /** @description The batch that tries the failed items again */
            retried_as: string | null;
            /** @description The batch whose inputs, or some of them, were checked again */
            again_of: string | null;
            /** @description The monitor whose run it is of; null for one that was submitted */
            monitor_id: string | null;
            /** @description The run of that monitor */
            run_id: string | null;
            /** @description A test token asked for it: its answers are invented, and nothing is charged */
            is_test: boolean;
            summary: components["schemas"]["Summary"];
        };
        Summary: {
            [key: string]: number;
        };
        AgainRequest: {
            /**
             * @description What to check of addresses; without it what was checked before, with the same options
             * @enum {string}
             */
            type?: "http" | "index";
            /** @description Only inputs with such results; the words of `results.csv` */
            show?: string;
            /** @description Only inputs with this text in the URL, the keyword or its target */
            q?: string;
            /** @description Only the inputs of these results */
            request_ids?: number[];
        };
        Comparison: {
            /** @constant */
            success: true;
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            compared_with: string;
            counts: {
                broken: number;
                fixed: number;
                changed: number;
                added: number;
                gone: number;
                unknown: number;
                same: number;
            };
            /**
             * @description What became of those in `data`
             * @enum {string}
             */
            change: "broken" | "fixed" | "changed" | "added" | "gone" | "unknown" | "same";
            data: {
                /** @description Null where it was not asked */
                now: (components["schemas"]["IndexItem"] | components["schemas"]["HttpStatusItem"] | components["schemas"]["RankItem"] | components["schemas"]["FailedUrlItem"] | components["schemas"]["FailedRankItem"]) | null;
                /** @description Null where it was not asked */
                before: (components["schemas"]["IndexItem"] | components["schemas"]["HttpStatusItem"] | components["schemas"]["RankItem"] | components["schemas"]["FailedUrlItem"] | components["schemas"]["FailedRankItem"]) | null;
            }[];
            current_page: number;
            per_page: number;
            total: number;
            last_page: number;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        RenameRequest: {
            /** @description Null takes the name away; `reference` stays what it was. */
            name: string | null;
        };
        ChangeList: {
            /** @constant */
            success: true;
            data: components["schemas"]["MonitorChange"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        MonitorChange: {
            change_id: number;
            /**
             * Format: uuid
             * @example 7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21
             */
            monitor_id: string;
            /**
             * Format: uuid
             * @description The run that saw it first
             * @example 4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10
             */
            run_id: string;
            /** @description The same in all lists of the monitor */
            subject_id: number;
            /** @description Null once the monitor was deleted */
            subject: (string | {
                keyword: string;
                target_url: string;
                country: string;
                language: string;
                /** @enum {string} */
                device: "desktop" | "mobile";
                /**
                 * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
                 * @enum {string}
                 */
                match: "site" | "host" | "page" | "prefix";
                tag: string | null;
            }) | null;
            /** @enum {string} */
            kind: "unreachable" | "recovered" | "status_changed" | "soft404_appeared" | "soft404_cleared" | "noindex_appeared" | "noindex_cleared" | "redirect_changed" | "canonical_changed" | "title_changed" | "indexed" | "deindexed" | "ranked" | "not_ranked" | "rank_up" | "rank_down" | "ranked_url_changed" | "joined_sitemap" | "left_sitemap";
            /** @description The fields of the answer that differ, as last told */
            before: {
                [key: string]: unknown;
            };
            /** @description The same as they are now */
            after: {
                [key: string]: unknown;
            };
            /** @description The check whose answer it is; null for changes of a sitemap */
            request_id: number | null;
            /**
             * Format: date-time
             * @description When it was told
             * @example 2026-11-20T09:41:05+00:00
             */
            at: string;
        };
        SubjectList: {
            /** @constant */
            success: true;
            data: components["schemas"]["SubjectEntry"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        SubjectEntry: {
            /** @description The same in all lists of the monitor */
            subject_id: number;
            subject: string | {
                keyword: string;
                target_url: string;
                country: string;
                language: string;
                /** @enum {string} */
                device: "desktop" | "mobile";
                /**
                 * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
                 * @enum {string}
                 */
                match: "site" | "host" | "page" | "prefix";
                tag: string | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            joined_at: string;
            /** @description Null while it is checked */
            left_at: string | null;
            /** @description Null while it is checked */
            left_reason: ("removed" | "left_sitemap" | "indexed") | null;
            /** @description Null before its first answer */
            latest: {
                /**
                 * Format: date-time
                 * @description When the run began that found it first
                 * @example 2026-11-20T09:41:05+00:00
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description When the run began that found it last
                 * @example 2026-11-20T09:41:05+00:00
                 */
                until: string;
                status?: number;
                is_soft404?: boolean;
                soft404_checked?: boolean;
                /** @description Whether somebody stopped the check */
                bot_wall?: boolean;
                is_indexed?: boolean;
                /** @description Null when not among the results */
                rank?: number | null;
                competitors?: {
                    url: string;
                    rank: number | null;
                }[];
                /** @description A loss that was not found again at the second look */
                unconfirmed: boolean;
            } | null;
            /** @description The best rank it ever had; null before it has one */
            best?: {
                rank: number;
                /**
                 * Format: date-time
                 * @example 2026-11-20T09:41:05+00:00
                 */
                at: string;
            } | null;
            differences?: {
                /** @description By the check nearest to that day, at most half of the time off; null without one */
                day_1: {
                    /** @description Null when it was not among the results */
                    rank: number | null;
                    /** @description Null unless it was ranked then and is now */
                    difference: number | null;
                } | null;
                /** @description By the check nearest to that day, at most half of the time off; null without one */
                day_7: {
                    /** @description Null when it was not among the results */
                    rank: number | null;
                    /** @description Null unless it was ranked then and is now */
                    difference: number | null;
                } | null;
                /** @description By the check nearest to that day, at most half of the time off; null without one */
                day_30: {
                    /** @description Null when it was not among the results */
                    rank: number | null;
                    /** @description Null unless it was ranked then and is now */
                    difference: number | null;
                } | null;
            };
            /** @description From `from` to `to`, oldest first */
            points: {
                /**
                 * Format: date-time
                 * @description When the run began that found it first
                 * @example 2026-11-20T09:41:05+00:00
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description When the run began that found it last
                 * @example 2026-11-20T09:41:05+00:00
                 */
                until: string;
                status?: number;
                is_soft404?: boolean;
                soft404_checked?: boolean;
                /** @description Whether somebody stopped the check */
                bot_wall?: boolean;
                is_indexed?: boolean;
                /** @description Null when not among the results */
                rank?: number | null;
                competitors?: {
                    url: string;
                    rank: number | null;
                }[];
                /** @description A loss that was not found again at the second look */
                unconfirmed: boolean;
            }[];
        };
        SeriesList: {
            /** @constant */
            success: true;
            data: components["schemas"]["SeriesEntry"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        SeriesEntry: {
            /**
             * Format: uuid
             * @example 4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10
             */
            run_id: string;
            /**
             * Format: date-time
             * @description When the run began
             * @example 2026-11-20T09:41:05+00:00
             */
            at: string;
            subjects: number;
            answered: number;
            /** @description Without an answer; in no share */
            failed: number;
            /** @description Losses that were not looked at again; in no share */
            unconfirmed: number;
            /** @description Answered of subjects */
            coverage: number | null;
            changes?: components["schemas"]["ChangeCounts"];
            indexed?: number;
            /** @description Null where nothing was answered */
            share_indexed?: number | null;
            /** @description Status 0 or 400 and above */
            dead?: number;
            soft404?: number;
            /** @description Neither alive nor dead; in no share */
            bot_wall?: number;
            /** @description Null where nothing was answered */
            share_dead?: number | null;
            /** @description Null where nothing was answered */
            share_soft404?: number | null;
            ranks?: {
                top_3: number;
                top_10: number;
                top_20: number;
                top_100: number;
                not_ranked: number;
                /** @description By the curve sonde-1: 1 with every query in the first place. Null where nothing was answered */
                visibility: number | null;
                /** @description Of those that are ranked; null where none is */
                average_rank: number | null;
                /** @description Over the queries that were ranked so many days before and are now: then is the check nearest to that day, at most half of the time off */
                differences: {
                    /** @description Null where no query was ranked at both ends */
                    day_1: {
                        /** @description How many were ranked then and are now */
                        queries: number;
                        average_rank_before: number;
                        average_rank_now: number;
                    } | null;
                    /** @description Null where no query was ranked at both ends */
                    day_7: {
                        /** @description How many were ranked then and are now */
                        queries: number;
                        average_rank_before: number;
                        average_rank_now: number;
                    } | null;
                    /** @description Null where no query was ranked at both ends */
                    day_30: {
                        /** @description How many were ranked then and are now */
                        queries: number;
                        average_rank_before: number;
                        average_rank_now: number;
                    } | null;
                };
            };
            competitors?: {
                url: string;
                top_3: number;
                top_10: number;
                top_20: number;
                top_100: number;
                not_ranked: number;
                /** @description By the curve sonde-1: 1 with every query in the first place. Null where nothing was answered */
                visibility: number | null;
                /** @description Of those that are ranked; null where none is */
                average_rank: number | null;
                /** @description Over the queries that were ranked so many days before and are now: then is the check nearest to that day, at most half of the time off */
                differences: {
                    /** @description Null where no query was ranked at both ends */
                    day_1: {
                        /** @description How many were ranked then and are now */
                        queries: number;
                        average_rank_before: number;
                        average_rank_now: number;
                    } | null;
                    /** @description Null where no query was ranked at both ends */
                    day_7: {
                        /** @description How many were ranked then and are now */
                        queries: number;
                        average_rank_before: number;
                        average_rank_now: number;
                    } | null;
                    /** @description Null where no query was ranked at both ends */
                    day_30: {
                        /** @description How many were ranked then and are now */
                        queries: number;
                        average_rank_before: number;
                        average_rank_now: number;
                    } | null;
                };
            }[];
        };
        /** @description Those that a run saw first, or a message tells; not in a series with `tag`, `device` or `country` */
        ChangeCounts: {
            unreachable?: number;
            recovered?: number;
            status_changed?: number;
            soft404_appeared?: number;
            soft404_cleared?: number;
            noindex_appeared?: number;
            noindex_cleared?: number;
            redirect_changed?: number;
            canonical_changed?: number;
            title_changed?: number;
            indexed?: number;
            deindexed?: number;
            ranked?: number;
            not_ranked?: number;
            rank_up?: number;
            rank_down?: number;
            ranked_url_changed?: number;
            joined_sitemap?: number;
            left_sitemap?: number;
        };
        MonitorRequest: {
            /** @example Shop */
            name: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            urls?: string[];
            queries?: components["schemas"]["KeywordQuery"][];
            /** @example https://example.com/sitemap.xml */
            sitemap_url?: string;
            schedule: {
                /** @enum {string} */
                every: "hour" | "day" | "week" | "month";
                at?: string | null;
                on?: (("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat") | number)[] | null;
                /**
                 * @description An IANA name
                 * @default UTC
                 * @example Europe/Berlin
                 */
                timezone?: string;
            };
            stop_when?: "indexed" | null;
            notify?: {
                /**
                 * @description `always`: after runs without a change too
                 * @default changed
                 * @enum {string}
                 */
                when?: "changed" | "always" | "never";
                webhook_url?: string | null;
                /**
                 * @description A digest by mail, where mail is on
                 * @default true
                 */
                email?: boolean;
            };
            /**
             * @description Places that a rank must move to be a change; crossing 3, 10 or 20 is one too
             * @default 3
             */
            rank_threshold?: number;
            /**
             * @description Losses are checked once more ten minutes later, and told only if they stood
             * @default true
             */
            confirm_losses?: boolean;
            /** @description What a run may check, and so cost, at most; of a sitemap twice its first reading unless given */
            subjects_max?: number;
            reference?: string | null;
        };
        MonitorAnswer: {
            /** @constant */
            success: true;
            monitor: components["schemas"]["Monitor"];
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        Monitor: {
            /**
             * Format: uuid
             * @example 7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21
             */
            monitor_id: string;
            /** @example Shop */
            name: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            /** @description Null where it is a list */
            sitemap_url: string | null;
            schedule: {
                /** @enum {string} */
                every: "hour" | "day" | "week" | "month";
                /**
                 * @description As asked for, or as the service spreads it
                 * @example 06:00
                 */
                at: string;
                /** @description Null with `hour` and `day` */
                on: (("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat") | number)[] | null;
                /**
                 * @description An IANA name
                 * @default UTC
                 * @example Europe/Berlin
                 */
                timezone: string;
            };
            stop_when: "indexed" | null;
            notify: {
                /**
                 * @description `always`: after runs without a change too
                 * @default changed
                 * @enum {string}
                 */
                when: "changed" | "always" | "never";
                webhook_url: string | null;
                email: boolean;
            };
            /**
             * @description Places that a rank must move to be a change; crossing 3, 10 or 20 is one too
             * @default 3
             */
            rank_threshold: number;
            /**
             * @description Losses are checked once more ten minutes later, and told only if they stood
             * @default true
             */
            confirm_losses: boolean;
            /** @description What a run may check, and so cost, at most; of a sitemap twice its first reading unless given */
            subjects_max: number;
            reference: string | null;
            /**
             * @description `completed` when every address has left
             * @enum {string}
             */
            status: "active" | "paused" | "completed";
            /** @description Null unless it is paused */
            paused_reason: ("by_hand" | "insufficient_credits") | null;
            /** @description How many addresses or queries the next run checks */
            subjects: number;
            /** @description Null unless it is active */
            next_run_at: string | null;
            /** @description When a run last started; null before the first */
            last_run_at: string | null;
            credits_per_run: number;
            /** @description Runs of the next 30 days; confirmations come on top */
            credits_per_month: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
        };
        MonitorList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Monitor"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        MonitorPatch: {
            /** @example Shop */
            name?: string;
            urls?: string[];
            queries?: components["schemas"]["KeywordQuery"][];
            /** @example https://example.com/sitemap.xml */
            sitemap_url?: string;
            schedule?: {
                /** @enum {string} */
                every: "hour" | "day" | "week" | "month";
                at?: string | null;
                on?: (("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat") | number)[] | null;
                /**
                 * @description An IANA name
                 * @default UTC
                 * @example Europe/Berlin
                 */
                timezone?: string;
            };
            stop_when?: "indexed" | null;
            notify?: {
                /**
                 * @description `always`: after runs without a change too
                 * @default changed
                 * @enum {string}
                 */
                when?: "changed" | "always" | "never";
                webhook_url?: string | null;
                /**
                 * @description A digest by mail, where mail is on
                 * @default true
                 */
                email?: boolean;
            } | null;
            rank_threshold?: number | null;
            confirm_losses?: boolean | null;
            /** @description What a run may check, and so cost, at most; of a sitemap twice its first reading unless given */
            subjects_max?: number;
            reference?: string | null;
        };
        MonitorDeleted: {
            /** @constant */
            success: true;
        };
        RunAnswer: {
            /** @constant */
            success: true;
            run: components["schemas"]["MonitorRun"];
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        MonitorRun: {
            /**
             * Format: uuid
             * @example 4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10
             */
            run_id: string;
            /**
             * Format: uuid
             * @example 7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21
             */
            monitor_id: string;
            /** @enum {string} */
            kind: "check" | "confirmation";
            /** @description The run whose losses a confirmation checks again */
            confirms: string | null;
            /** @description Null for one that was started by hand */
            due_at: string | null;
            /** @description It started ten minutes or more after it was due */
            late: boolean;
            /**
             * @description `preparing` while a sitemap is read
             * @enum {string}
             */
            status: "preparing" | "running" | "completed" | "partial" | "failed" | "skipped";
            /** @description Null unless it was skipped */
            reason: ("overlap" | "insufficient_credits" | "token_limit" | "allowance_exhausted" | "no_subjects" | "unknown_zone" | "account_disabled" | "deleted") | null;
            /** @description The first of `batch_ids` */
            batch_id: string | null;
            batch_ids: string[];
            /** @description How many were to be checked */
            subjects: number;
            /** @description How many got an answer */
            checked: number;
            /** @description How many got none, and were refunded */
            failed: number;
            changes: number;
            /** @description What was charged when it started */
            credits_charged: number;
            /** @description Addresses of the sitemap beyond `subjects_max` */
            left_out: number;
            /** @description The sitemap was not believed, and the last list was used */
            sitemap_doubtful: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        RunList: {
            /** @constant */
            success: true;
            data: components["schemas"]["MonitorRun"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        AnnotationList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Annotation"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        Annotation: {
            annotation_id: number;
            /**
             * Format: date-time
             * @description What it is about
             * @example 2026-11-20T09:41:05+00:00
             */
            at: string;
            /** @example New template for product pages */
            text: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
        };
        AnnotationRequest: {
            /**
             * @description A day or a moment in ISO 8601, in UTC unless it says otherwise; now without it
             * @example 2026-11-18
             */
            at?: string;
            /** @example New template for product pages */
            text: string;
        };
        AnnotationAnswer: {
            /** @constant */
            success: true;
            annotation: components["schemas"]["Annotation"];
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        AnnotationDeleted: {
            /** @constant */
            success: true;
        };
        Credits: {
            credits: number;
        };
        Allowance: {
            /** @constant */
            success: true;
            /** @description Units that may be caused in an hour */
            per_hour: number;
            /** @description Units caused that have not yet sunk away; 0 again after `used` / `per_hour` hours */
            used: number;
            /** @description What may be caused right now */
            remaining: number;
            /** @description Credits paid for answers in the last 30 days; each adds to `per_hour` */
            paid_credits: number;
            /** @description Units of each kind of work that nobody pays for */
            weights: {
                /** @description A page that a provider was paid for, without an answer */
                upstream_pages: number;
                /** @description A second of a check without an answer */
                slot_seconds: number;
                /** @description A row kept uncharged, or each 512 bytes begun of it: of an entry that does not fit or is refunded, of the list of a monitor, or of an act such as a token made */
                kept_rows: number;
                /** @description A webhook test, per sample */
                webhook_tests: number;
                /** @description A delivery sent again, or owed by a batch that ended without an answer */
                deliveries: number;
                /** @description A sitemap read in the dashboard */
                sitemaps: number;
            };
        };
        CreditAlert: {
            /** @constant */
            success: true;
            /** @description Told below this balance; null for never */
            threshold: number | null;
            /** @description Where `credits.low` is sent; null for nowhere but by mail */
            webhook_url: string | null;
            /** @description Since when the balance is below; null while it is not */
            low_since: string | null;
            /** @description When word of it was put on its way, by webhook and mail; null until then, and once the balance has risen */
            told_at: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        CreditAlertRequest: {
            /** @description Told below this balance; null for never */
            threshold?: number | null;
            /** @description Null for nowhere but by mail */
            webhook_url?: string | null;
        };
        Digest: {
            /** @constant */
            success: true;
            /**
             * @description `run`: when runs end, one mail an hour at most. `day`: one mail of all that a day brought
             * @enum {string}
             */
            every: "run" | "day";
            /** @description By the clock on the wall of `timezone`; null with `run` */
            at: string | null;
            /** @description Null with `run` */
            timezone: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        DigestRequest: {
            /**
             * @description `run`: when runs end, one mail an hour at most. `day`: one mail of all that a day brought
             * @enum {string}
             */
            every: "run" | "day";
            /** @description With `day`; 08:00 unless given, or as it was */
            at?: string | null;
            /** @description With `day`, an IANA name; UTC unless given, or as it was */
            timezone?: string | null;
        };
        LedgerList: {
            /** @constant */
            success: true;
            data: components["schemas"]["LedgerEntry"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        LedgerEntry: {
            entry_no: number;
            /** @enum {string} */
            kind: "grant" | "charge" | "refund" | "adjustment";
            /** @description Negative for a charge */
            amount: number;
            balance_after: number;
            /** @description Null unless it belongs to a batch */
            batch_id: string | null;
            /** @description Null unless it belongs to a single check */
            request_id: number | null;
            /** @description What the operator wrote */
            note: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
        };
        HistoryList: {
            /** @constant */
            success: true;
            data: (components["schemas"]["IndexHistoryEntry"] | components["schemas"]["RankHistoryEntry"])[];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        IndexHistoryEntry: {
            url: string;
            /** @description Null when failed */
            is_indexed: boolean | null;
            /** @constant */
            engine: "google";
            /** @example 48151 */
            request_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @description Null for a single check */
            batch_id: string | null;
            /** @enum {string} */
            state: "success" | "failed";
            /** @description Null unless failed */
            error: ("invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled") | null;
        };
        RankHistoryEntry: {
            keyword: string | null;
            target_url: string | null;
            country: string | null;
            language: string | null;
            /** @enum {string} */
            device?: "desktop" | "mobile";
            start_page?: number;
            end_page?: number;
            /**
             * @description What counts as a hit: the site with its subdomains, this host alone, this page, or this path and all below. By default `site` for a bare host, `page` for anything longer. A website on a public suffix, such as `www.gov.uk`, has no subdomains
             * @enum {string}
             */
            match?: "site" | "host" | "page" | "prefix";
            tag: string | null;
            /** @description Who else was looked for */
            competitor_urls?: string[];
            /**
             * @description Read on to `end_page` after the match
             * @constant
             */
            full?: true;
            include?: "results"[];
            /** @description Null when not found or failed */
            rank: number | null;
            /** @example 48151 */
            request_id: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            checked_at: string;
            /** @description Null for a single check */
            batch_id: string | null;
            /** @enum {string} */
            state: "success" | "failed";
            /** @description Null unless failed */
            error: ("invalid_url" | "target_not_allowed" | "checker_unreachable" | "checker_failed" | "google_unreadable" | "query_rewritten" | "provider_refused" | "canceled") | null;
        };
        Me: {
            /** @constant */
            success: true;
            account_id: number;
            /** @description Who made the token; null when the operator did */
            person: {
                /** @example ada@example.com */
                email: string;
                /** @enum {string} */
                role: "owner" | "member" | "viewer";
            } | null;
            token: {
                token_id: number;
                name: string;
                /** @enum {string} */
                scope: "read" | "check" | "manage";
                /** @description Null when it has no end */
                expires_at: string | null;
                /** @description Null without a limit */
                credits_per_month: number | null;
                /** @description Charged against it in this month of UTC, runs of its monitors included, less refunds; null without a limit */
                credits_this_month: number | null;
                /** @description Whether all its answers are invented */
                is_test: boolean;
            };
        };
        ActivityList: {
            /** @constant */
            success: true;
            data: {
                /** @description One of signed_up, signed_in, password_changed, address_confirmed, address_changed, factor_added, factor_removed, recovery_codes_renewed, recovery_code_used, sessions_ended, token_made, token_revoked, secret_rotated, report_shared, report_revoked, credits_granted, credits_adjusted, account_disabled, account_enabled, credit_alert_changed, digest_changed, member_invited, invitation_revoked, member_joined, member_role_changed, member_removed, member_left; more may come. */
                what: string;
                /** @description The same for people. */
                sentence: string;
                /** @description What it was done to: an address, the name of a token, a role; null when nothing needs naming. */
                about: string | null;
                /** @description Whose act it was, by the address of then; null for the operator, and for a token of nobody. */
                email: string | null;
                /** @description The token that it was done with; null for what was done in the dashboard. */
                token_name: string | null;
                /** @description The network address it came from; null when it came from none. */
                address: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        TokenList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Token"][];
        };
        Token: {
            token_id: number;
            name: string;
            last_four: string;
            /** @enum {string} */
            scope: "read" | "check" | "manage";
            /** @description Whether all its answers are invented */
            is_test: boolean;
            /** @description Null for the operator */
            made_by: string | null;
            /** @description Null without a limit */
            credits_per_month: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description To the minute; null until its first use */
            last_used_at: string | null;
            /** @description Null when it has no end */
            expires_at: string | null;
            /** @description Null while it is not revoked */
            revoked_at: string | null;
        };
        TokenRequest: {
            name: string;
            /** @enum {string} */
            scope?: "read" | "check" | "manage";
            /** @description Null for no end */
            expires_at?: string | null;
            /** @description Null for no limit */
            credits_per_month?: number | null;
            /**
             * @description true makes a test token: its answers are invented, and nothing is charged
             * @default false
             */
            is_test?: boolean;
        };
        TokenMade: {
            token_id: number;
            name: string;
            last_four: string;
            /** @enum {string} */
            scope: "read" | "check" | "manage";
            /** @description Whether all its answers are invented */
            is_test: boolean;
            /** @description Null for the operator */
            made_by: string | null;
            /** @description Null without a limit */
            credits_per_month: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description To the minute; null until its first use */
            last_used_at: string | null;
            /** @description Null when it has no end */
            expires_at: string | null;
            /** @description Null while it is not revoked */
            revoked_at: string | null;
            /** @constant */
            success: true;
            /** @description Shown this once */
            token: string;
        };
        TokenShown: {
            token_id: number;
            name: string;
            last_four: string;
            /** @enum {string} */
            scope: "read" | "check" | "manage";
            /** @description Whether all its answers are invented */
            is_test: boolean;
            /** @description Null for the operator */
            made_by: string | null;
            /** @description Null without a limit */
            credits_per_month: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description To the minute; null until its first use */
            last_used_at: string | null;
            /** @description Null when it has no end */
            expires_at: string | null;
            /** @description Null while it is not revoked */
            revoked_at: string | null;
            /** @constant */
            success: true;
        };
        MemberList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Member"][];
            invitations: components["schemas"]["Invitation"][];
        };
        Member: {
            member_id: number;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            role: "owner" | "member" | "viewer";
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            joined_at: string;
        };
        Invitation: {
            invitation_id: number;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            role: "owner" | "member" | "viewer";
            /** @description As it was then; null for the operator */
            invited_by: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            expires_at: string;
        };
        InvitationRequest: {
            email: string;
            /** @enum {string} */
            role: "owner" | "member" | "viewer";
        };
        InvitationMade: {
            invitation_id: number;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            role: "owner" | "member" | "viewer";
            /** @description As it was then; null for the operator */
            invited_by: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            expires_at: string;
            /** @constant */
            success: true;
            /** @description To hand over, shown this once; null where the service sends mail, which then has it alone */
            link: string | null;
        };
        MemberChange: {
            /** @enum {string} */
            role: "owner" | "member" | "viewer";
        };
        MemberShown: {
            member_id: number;
            /** @example ada@example.com */
            email: string;
            /** @enum {string} */
            role: "owner" | "member" | "viewer";
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            joined_at: string;
            /** @constant */
            success: true;
            /** @description Revoked because the new role does not allow it */
            voided: {
                /** @description Addresses of their open invitations */
                invitations: string[];
                report_links: number;
                tokens: number;
            };
        };
        WebhookSecret: {
            /** @constant */
            success: true;
            secret: string | null;
            previous_secret: string | null;
            previous_expires_at: string | null;
        };
        WebhookTestRequest: {
            /** @example https://example.com/hooks/sonde */
            webhook_url: string;
            /** @enum {string} */
            type?: "index" | "http" | "keyword";
        };
        WebhookTested: {
            /** @constant */
            success: true;
            deliveries: {
                /** @enum {string} */
                type: "index" | "http" | "keyword";
                message_id: string;
                /** @description Whether the answer was a 2xx */
                delivered: boolean;
                status: number | null;
                error: string | null;
                duration_ms: number;
            }[];
        };
        DeliveryList: {
            /** @constant */
            success: true;
            data: components["schemas"]["Delivery"][];
            /** @description Null when the page was asked for by `cursor` */
            current_page: number | null;
            per_page: number;
            total: number | null;
            last_page: number | null;
            /**
             * @description There are more than 10,000 entries
             * @constant
             */
            total_is_more?: true;
            /** @description Null on the last page */
            next_page_url: string | null;
            /** @description Null on the first page, and with `cursor` */
            prev_page_url: string | null;
            /** @description Goes on after this page at the cost of page 1, whatever was added meanwhile; null on the last page */
            next_cursor: string | null;
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        Delivery: {
            /** @description Null for an event that is not the end of a batch */
            batch_id: string | null;
            /**
             * @description What happened
             * @example batch.completed
             * @example monitor.changed
             */
            event: string;
            /** @description The webhook-id header of every attempt */
            message_id: string;
            url: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempt_count: number;
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            ended_at: string | null;
        };
        DeliveryShown: {
            /** @description Null for an event that is not the end of a batch */
            batch_id: string | null;
            /**
             * @description What happened
             * @example batch.completed
             * @example monitor.changed
             */
            event: string;
            /** @description The webhook-id header of every attempt */
            message_id: string;
            url: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempt_count: number;
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            ended_at: string | null;
            /** @constant */
            success: true;
            attempts: components["schemas"]["Attempt"][];
            /**
             * @example [
             *       "webhook is not a field; did you mean webhook_url?"
             *     ]
             */
            warnings?: string[];
        };
        Attempt: {
            attempt: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            attempted_at: string;
            duration_ms: number;
            status: number | null;
            error: string | null;
        };
        DeliveryResent: {
            /** @description Null for an event that is not the end of a batch */
            batch_id: string | null;
            /**
             * @description What happened
             * @example batch.completed
             * @example monitor.changed
             */
            event: string;
            /** @description The webhook-id header of every attempt */
            message_id: string;
            url: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            attempt_count: number;
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            ended_at: string | null;
            /** @constant */
            success: true;
            message: string;
        };
        Alive: {
            /** @constant */
            success: true;
            /** @constant */
            status: "alive";
        };
        Ready: {
            /** @constant */
            success: true;
            /** @constant */
            status: "ready";
        };
        Error: {
            /** @constant */
            success: false;
            message: string;
            /** @example validation_failed */
            error: string;
            errors?: {
                [key: string]: string[];
            };
            credits_needed?: number;
            credits_available?: number;
            retried_as?: string;
        };
        IndexPayload: {
            /** @constant */
            event: "batch.completed";
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            reference: string | null;
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            credits_charged: number;
            credits_refunded: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            /** @description Where the batch and its results are read */
            results_url: string;
            /**
             * @description Sent by POST /webhooks/test, or of a batch of a test token; nothing of it is real
             * @constant
             */
            test?: true;
            /** @constant */
            type: "index";
            summary: components["schemas"]["IndexSummary"];
            /** @description In the order of submission; null when there are too many to send along */
            results: (components["schemas"]["IndexItem"] | components["schemas"]["FailedUrlItem"])[] | null;
        };
        HttpStatusPayload: {
            /** @constant */
            event: "batch.completed";
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            reference: string | null;
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            credits_charged: number;
            credits_refunded: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            /** @description Where the batch and its results are read */
            results_url: string;
            /**
             * @description Sent by POST /webhooks/test, or of a batch of a test token; nothing of it is real
             * @constant
             */
            test?: true;
            /** @constant */
            type: "http";
            summary: components["schemas"]["HttpStatusSummary"];
            /** @description In the order of submission; null when there are too many to send along */
            results: (components["schemas"]["HttpStatusItem"] | components["schemas"]["FailedUrlItem"])[] | null;
        };
        RankPayload: {
            /** @constant */
            event: "batch.completed";
            /**
             * Format: uuid
             * @example 0e0bd036-ac62-4143-9dfa-84aa98ff32d4
             */
            batch_id: string;
            reference: string | null;
            /**
             * @description In the end `completed` if every item got an answer, `failed` if none did, else `partial`
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "partial" | "failed";
            /** @description Items submitted */
            total: number;
            /** @description Items with an outcome so far */
            processed: number;
            /** @description Items with an answer, good or bad */
            successful: number;
            /** @description Items without an answer; their credits are back */
            failed: number;
            credits_charged: number;
            credits_refunded: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            created_at: string;
            /** @description Null until every item has an outcome */
            completed_at: string | null;
            /** @description Where the batch and its results are read */
            results_url: string;
            /**
             * @description Sent by POST /webhooks/test, or of a batch of a test token; nothing of it is real
             * @constant
             */
            test?: true;
            /** @constant */
            type: "keyword";
            summary: components["schemas"]["RankSummary"];
            /** @description In the order of submission; null when there are too many to send along */
            results: (components["schemas"]["RankItem"] | components["schemas"]["FailedRankItem"])[] | null;
        };
        CreditsLowPayload: {
            /** @constant */
            event: "credits.low";
            /** @description The balance when it was told */
            credits: number;
            /** @example 500 */
            threshold: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:41:05+00:00
             */
            low_since: string;
            /** @description The page of the credits */
            credits_url: string;
        };
        MonitorRunPayload: {
            /** @enum {string} */
            event: "monitor.changed" | "monitor.run_completed";
            monitor_id: string;
            name: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            reference: string | null;
            run: components["schemas"]["MonitorRun"];
            counts: components["schemas"]["ChangeCounts"];
            /** @description Where these changes are listed */
            changes_url: string;
            /** @description Null where there are more than 100, or more than 64 KiB of them: read them at `changes_url` */
            changes: components["schemas"]["MonitorChange"][] | null;
        };
        MonitorRunSkippedPayload: {
            /** @constant */
            event: "monitor.run_skipped";
            monitor_id: string;
            name: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            reference: string | null;
            run: components["schemas"]["MonitorRun"];
            /**
             * @description `completed` when every address has left
             * @enum {string}
             */
            monitor_status: "active" | "paused" | "completed";
        };
        MonitorCompletedPayload: {
            /** @constant */
            event: "monitor.completed";
            monitor_id: string;
            name: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            reference: string | null;
            run: components["schemas"]["MonitorRun"];
        };
        MonitorResumedPayload: {
            /** @constant */
            event: "monitor.resumed";
            monitor_id: string;
            name: string;
            /** @enum {string} */
            type: "index" | "http" | "keyword";
            reference: string | null;
        };
    };
    responses: {
        /**
         * @description `bad_request`: The request cannot be read.
         *
         *     `invalid_json`: The body is not valid JSON.
         */
        Error400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: There is no token in the request, or it is not valid. */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `insufficient_credits`: The balance is too small; `credits_needed` and `credits_available` say by how much.
         *
         *     `token_limit`: The token has less left of its credits for this month than is needed; `credits_needed` and `credits_available` say by how much.
         */
        Error402: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `insufficient_scope`: The scope of the token, or the role of whoever made it, does not go that far.
         *
         *     `test_token`: The token is a test token, for which there is nothing of this.
         */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: Nothing is at this path, or no such thing is in this account. */
        Error404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `idempotency_key_reused`: The Idempotency-Key came with another request within 24 hours.
         *
         *     `still_running`: The check, or the first request with this Idempotency-Key, is still running.
         *
         *     `batch_not_finished`: This can only be done with a batch that has ended.
         *
         *     `run_in_progress`: A run of the monitor is at work, or it is being changed by another request.
         *
         *     `monitor_completed`: Every address of the monitor has left.
         *
         *     `too_many_annotations`: The monitor has as many annotations as it may.
         *
         *     `too_many_monitors`: The account has as many monitors as it may.
         *
         *     `already_retried`: The batch was retried before; `retried_as` names the batch that was made.
         *
         *     `too_many_tokens`: The account has 100 valid tokens.
         *
         *     `too_many_invitations`: 20 invitations of the account are open.
         *
         *     `last_owner`: An account keeps at least one owner.
         */
        Error409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `results_expired`: The inputs and results of the batch are no longer kept. */
        Error410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `body_too_large`: The body is larger than 8 MiB, or 16 KiB where there is no list in it, or has too many values. */
        Error413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: The body is not JSON in UTF-8, or it is compressed. */
        Error415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation_failed`: Fields do not fit; `errors` names them, up to 50. */
        Error422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `too_many_in_flight`: Too many single checks of this account are running.
         *
         *     `allowance_exhausted`: The account has caused too much work that nobody pays for, such as refunded checks and webhook tests.
         *
         *     `too_many_waiting`: Too many requests of this account are waiting for batches with `wait`.
         *
         *     `rate_limited`: Too many requests in a minute; `RateLimit` says how many there may be.
         */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `server_error`: Something went wrong on our side. */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `google_unreadable`: Google could not be read just now.
         *
         *     `query_rewritten`: Google answered another query than was asked.
         *
         *     `provider_refused`: The search provider refused this service.
         *
         *     `checker_unreachable`: Our own network could not reach anything just then.
         *
         *     `checker_failed`: The check could not be finished on our side.
         *
         *     `check_given_up`: The check took too long.
         *
         *     `service_unavailable`: The service cannot use its database just now.
         *
         *     `not_ready`: This process is not ready for requests: migrations or the queue are missing.
         */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request in the logs; tell it to the operator when something went wrong. */
        "X-Request-Id": string;
        /** @description Seconds after which it is worth asking again. */
        "Retry-After": number;
        /** @description Where the batch is found. */
        Location: string;
        /** @description Changes when the answer would; send it back as `If-None-Match`. */
        ETag: string;
        /** @description What of the query was not understood, as `warnings` says it elsewhere: a JSON array of at most 5 sentences, percent-encoded. */
        "X-Warnings": string;
        /** @description What is left for this account in this minute: `"post"; r=599; t=60` (IETF draft 8). */
        RateLimit: string;
        /** @description What there is in a minute: `"post"; q=600; w=60; pk=…` (IETF draft 8). */
        "RateLimit-Policy": string;
        /** @description The pages around this one, by `rel`: first, next, prev (RFC 8288). */
        Link: string;
        /** @description `true` when this is the kept answer to an earlier request with the same Idempotency-Key. */
        "Idempotent-Replayed": "true";
        /** @description How to authenticate. */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    checkIndex: {
        parameters: {
            query?: {
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IndexRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexResult"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkIndexBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IndexBulkRequest"];
            };
        };
        responses: {
            /** @description Queued; ask for the batch at `poll_url`, or wait for the webhook. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAccepted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkHttpStatus: {
        parameters: {
            query?: {
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HttpStatusRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HttpStatusResult"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkHttpStatusBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HttpStatusBulkRequest"];
            };
        };
        responses: {
            /** @description Queued; ask for the batch at `poll_url`, or wait for the webhook. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAccepted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    trackKeywords: {
        parameters: {
            query?: {
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeywordRequest"];
            };
        };
        responses: {
            /** @description One query: the rank. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankResult"];
                };
            };
            /** @description Queued; ask for the batch at `poll_url`, or wait for the webhook. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAccepted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCheck: {
        parameters: {
            query?: {
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: never;
            path: {
                /** @description Of a single check, or of an item of a batch. */
                request_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EarlierCheck"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBatch: {
        parameters: {
            query?: {
                /** @description `partial`: what is settled so far; `none`: leave them out. */
                results?: "partial" | "none";
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
                /** @description Seconds: answer when the batch has ended, or after this time. */
                wait?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier answer: 304 while nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            /** @description Nothing has changed since the `ETag` sent along. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getResultsCsv: {
        parameters: {
            query?: {
                /** @description What is settled so far. */
                results?: "partial";
                /** @description Only results of this kind; which there are depends on the type. */
                show?: "indexed" | "not_indexed" | "failed" | "not_checked" | "canceled" | "skipped" | "ok" | "soft404" | "redirect" | "client_error" | "server_error" | "unreachable" | "other_status" | "dead" | "redirected" | "redirect_chain" | "temporary_redirect" | "slow" | "noindex" | "canonical_elsewhere" | "bot_wall" | "top_3" | "rank_4_10" | "rank_11_20" | "below_20" | "ranked" | "not_ranked";
                /** @description Only results with this text in the URL, the keyword or its target, in any case. */
                q?: string;
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: never;
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Warnings": components["headers"]["X-Warnings"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getResultsXlsx: {
        parameters: {
            query?: {
                /** @description What is settled so far. */
                results?: "partial";
                /** @description Only results of this kind; which there are depends on the type. */
                show?: "indexed" | "not_indexed" | "failed" | "not_checked" | "canceled" | "skipped" | "ok" | "soft404" | "redirect" | "client_error" | "server_error" | "unreachable" | "other_status" | "dead" | "redirected" | "redirect_chain" | "temporary_redirect" | "slow" | "noindex" | "canonical_elsewhere" | "bot_wall" | "top_3" | "rank_4_10" | "rank_11_20" | "below_20" | "ranked" | "not_ranked";
                /** @description Only results with this text in the URL, the keyword or its target, in any case. */
                q?: string;
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: never;
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workbook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Warnings": components["headers"]["X-Warnings"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getResultsNdjson: {
        parameters: {
            query?: {
                /** @description What is settled so far. */
                results?: "partial";
                /** @description Only results of this kind; which there are depends on the type. */
                show?: "indexed" | "not_indexed" | "failed" | "not_checked" | "canceled" | "skipped" | "ok" | "soft404" | "redirect" | "client_error" | "server_error" | "unreachable" | "other_status" | "dead" | "redirected" | "redirect_chain" | "temporary_redirect" | "slow" | "noindex" | "canonical_elsewhere" | "bot_wall" | "top_3" | "rank_4_10" | "rank_11_20" | "below_20" | "ranked" | "not_ranked";
                /** @description Only results with this text in the URL, the keyword or its target, in any case. */
                q?: string;
                /** @description `evidence`: the queries that Google was asked (`asked`). `results`: what was found on the way to a rank, of queries with `include: ["results"]`. Both with a comma. */
                include?: string;
            };
            header?: never;
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Warnings": components["headers"]["X-Warnings"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description Only batches of this type. */
                type?: "index" | "http" | "keyword";
                /** @description Only batches in this state. */
                status?: "pending" | "processing" | "completed" | "partial" | "failed";
                /** @description Only batches of this submission. */
                submission_id?: string;
                /** @description Only batches with this text in their name or reference, looked for in the latest 10,000, or in an address or keyword of theirs, looked for in the latest 100. */
                q?: string;
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchList"];
                };
            };
            401: components["responses"]["Error401"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch as it now is, without results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retryBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued as a new batch. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAccepted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkBatchAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgainRequest"];
            };
        };
        responses: {
            /** @description Queued as a new batch. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAccepted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    compareBatch: {
        parameters: {
            query?: {
                /** @description The earlier batch; else the one that it repeats, or the last of its type and name. */
                with?: string;
                /** @description Which inputs to list; `broken` unless given. */
                change?: "broken" | "fixed" | "changed" | "added" | "gone" | "unknown" | "same";
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renameBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameRequest"];
            };
        };
        responses: {
            /** @description The batch as it now is, without results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Only changes of this kind. */
                kind?: "unreachable" | "recovered" | "status_changed" | "soft404_appeared" | "soft404_cleared" | "noindex_appeared" | "noindex_cleared" | "redirect_changed" | "canonical_changed" | "title_changed" | "indexed" | "deindexed" | "ranked" | "not_ranked" | "rank_up" | "rank_down" | "ranked_url_changed" | "joined_sitemap" | "left_sitemap";
                /** @description Only what this run saw first, or told. */
                run_id?: string;
                /** @description Only this address or query. */
                subject_id?: number;
                /** @description Only queries with exactly this tag. */
                tag?: string;
                /** @description Only queries as this device shows them. */
                device?: "desktop" | "mobile";
                /** @description Only queries of this country. */
                country?: string;
                /** @description Not before this day or moment. */
                from?: string;
                /** @description Before this day or moment. */
                to?: string;
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSubjects: {
        parameters: {
            query?: {
                /** @description Only this address or query. */
                subject_id?: number;
                /** @description Only queries with exactly this tag. */
                tag?: string;
                /** @description Only queries as this device shows them. */
                device?: "desktop" | "mobile";
                /** @description Only queries of this country. */
                country?: string;
                /** @description Not before this day or moment. */
                from?: string;
                /** @description Before this day or moment. */
                to?: string;
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subjects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubjectList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSeries: {
        parameters: {
            query?: {
                /** @description Only queries with exactly this tag. */
                tag?: string;
                /** @description Only queries as this device shows them. */
                device?: "desktop" | "mobile";
                /** @description Only queries of this country. */
                country?: string;
                /** @description Not before this day or moment. */
                from?: string;
                /** @description Before this day or moment. */
                to?: string;
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeriesList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMonitors: {
        parameters: {
            query?: {
                /** @description Only monitors in this state. */
                status?: "active" | "paused" | "completed";
                /** @description Only monitors of this type. */
                type?: "index" | "http" | "keyword";
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of monitors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorRequest"];
            };
        };
        responses: {
            /** @description The monitor. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorDeleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorPatch"];
            };
        };
        responses: {
            /** @description The monitor as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    pauseMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resumeMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    runMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMonitorRuns: {
        parameters: {
            query?: {
                /** @description Only runs in this state. */
                status?: "preparing" | "running" | "completed" | "partial" | "failed" | "skipped";
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAnnotations: {
        parameters: {
            query?: {
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of annotations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    annotateMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationRequest"];
            };
        };
        responses: {
            /** @description It is noted. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteAnnotation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 201 of a new monitor names it. */
                monitor_id: string;
                /** @description As the list names it. */
                annotation_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationDeleted"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Warnings": components["headers"]["X-Warnings"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credits"];
                };
            };
            401: components["responses"]["Error401"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAllowance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The allowance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Allowance"];
                };
            };
            401: components["responses"]["Error401"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCreditAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditAlert"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeCreditAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditAlertRequest"];
            };
        };
        responses: {
            /** @description The alert as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditAlert"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDigest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Digest"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeDigest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DigestRequest"];
            };
        };
        responses: {
            /** @description The setting as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Digest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listHistory: {
        parameters: {
            query?: {
                /** @description Index verdicts (the default) or ranks. */
                type?: "index" | "keyword";
                /** @description Exactly this URL, as it was sent. */
                url?: string;
                /** @description Only this verdict. */
                is_indexed?: "true" | "false";
                /** @description Not before this day or moment. */
                from?: string;
                /** @description Before this day or moment. */
                to?: string;
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who one is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Error401"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    makeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The token, shown this once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenMade"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the list of tokens names it. */
                token_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token as it is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenShown"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everybody. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description Invited. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationMade"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the list of members names it. */
                member_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who was removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberShown"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the list of members names it. */
                member_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            /** @description The member as he is then. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberShown"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret, and the one before. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            /** @description What the receiver made of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTested"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in this state. */
                state?: "pending" | "delivered" | "failed";
                /** @description Counted from 1. */
                page?: number;
                /** @description Entries per page. */
                per_page?: number;
                /** @description The `next_cursor` of an earlier page, instead of `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            401: components["responses"]["Error401"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryShown"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any name of your own for this request. Repeated within 24 hours it brings the same answer, and no second charge. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description As the 202 of a bulk request names it. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is sent again now. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It lives. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the text format of Prometheus. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["Error404"];
        };
    };
    indexBatchCompleted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IndexPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    httpBatchCompleted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HttpStatusPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    keywordBatchCompleted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RankPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    creditsLow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditsLowPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    monitorChanged: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorRunPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    monitorRunCompleted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorRunPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    monitorRunSkipped: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorRunSkippedPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    monitorCompleted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorCompletedPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    monitorResumed: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same for every attempt at a delivery. */
                "webhook-id"?: string;
                /** @description Seconds since 1970; refuse what is more than five minutes off. */
                "webhook-timestamp"?: number;
                /** @description One `v1,` signature per valid secret, separated by spaces. */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorResumedPayload"];
            };
        };
        responses: {
            /** @description The receiver wants to hear no more; it is not sent again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
