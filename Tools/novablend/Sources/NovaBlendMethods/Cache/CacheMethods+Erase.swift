import Contract
package import Domain
package import JSON
import JSONRPC
package import NovaBlendAdapters

extension CacheMethods {
    /// The method that removes the data of one customer from all accounts.
    var erase: Method {
        Method(
            Self.erase,
            "Removes a customer's data from the caches and journals of all accounts of this user, as far as "
                + "it is not evidence of a booking in doubt. The server's data stays.",
            title: "Erase a customer from the cache",
            parameters: [Self.phone, DryRun.parameter],
            result: .init(
                "accounts",
                "the accounts in which something was found",
                schema: ErasureReply.schema
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: data,
            errors: [.cacheDeletion],
            example: #"{"phone": "+49 30 1234567"}"#,
            toolSet: .cache
        ) { [personalData] call in
            let isDryRun = try DryRun.isWanted(call.params)
            let erasures = personalData.erase(
                customer: try Self.phone(in: call),
                isDryRun: isDryRun
            )
            let problems = erasures.flatMap(\.problems)
            guard problems.isEmpty else {
                throw ProgramError.cacheDeletion.error(
                    "Not everything could be searched: \(problems.joined(separator: "; "))",
                    advice: "correct that, and repeat the call"
                ) { $0.objects("accounts", erasures, ErasureReply.write) }
            }
            return ErasureReply(erasures: erasures, isDryRun: isDryRun)
        }
    }

    private static let phone = Method.Parameter(
        "phone",
        "the customer's phone number in any form; it is compared by its last digits",
        isRequired: true
    )

    private static func phone(in call: Call) throws(RPCError) -> String {
        let text = try call.params.string(phone.name) ?? ""
        do {
            return try Phone.normalized(text)
        } catch {
            throw .invalidParams("\"\(phone.name)\" \(error.reason)", parameter: phone.name)
        }
    }
}

/// What was removed about a customer, and what was not.
package struct ErasureReply: Reply {
    static let schema = ObjectSchema([
        .init("accounts", .array(of: .object(erasure))), DryRun.property,
    ])

    /// What was done in each account in which something was found.
    package let erasures: [PersonalDataFiles.Erasure]
    package let isDryRun: Bool

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.objects("accounts", erasures, Self.write)
        }
    }

    /// A booking in doubt that was not removed.
    package struct Left {
        package let intent: BookingIntent

        package init(_ intent: BookingIntent) { self.intent = intent }

        /// When it is removed even if it stays in doubt.
        package var until: String {
            let seconds = FileBookingJournal.retentionSeconds
            return ISO8601.formatUTC(intent.lastAttemptAt.advanced(bySeconds: seconds))
        }

        package var reason: String {
            let doubt =
                intent.state == .pending
                ? "the booking is in doubt"
                : "the server did not list the booking, but it may appear"
            return doubt + ", and its phone number is the evidence; "
                + "\(AppointmentMethods.resolve) finds out what happened, or ends the doubt with discard"
        }
    }

    private static let erasure = ObjectSchema([
        .init("account", .string),
        .init(
            AppointmentListCodec.name,
            .integer,
            "the number of appointments removed from the cached list"
        ),
        .init("bookings", .integer, "the number of ended bookings removed from the journal"),
        .init("damagedFiles", .integer, "the number of deleted files that could not be searched"),
        .init("left", .array(of: .object(left)), "what was not removed"),
    ]).named("CacheErasure")

    private static let left = ObjectSchema([
        .init("idempotencyKey", .string),
        .init("salonId", SalonIDCodec.schema),
        .init("appointmentTime", AppointmentTimeCodec.schema),
        .init("until", .string, "when it is removed even if it stays in doubt"),
        .init("reason", .string),
    ]).named("BookingLeft")

    static func write(_ erasure: PersonalDataFiles.Erasure, to writer: inout JSONWriter) {
        writer.member("account", erasure.account)
        writer.member(AppointmentListCodec.key, erasure.appointments)
        writer.member("bookings", erasure.bookings)
        writer.member("damagedFiles", erasure.damagedFiles)
        writer.objects("left", erasure.open.map(Left.init)) { left, writer in
            let booking = left.intent.action.outcome.booking
            writer.member("idempotencyKey", left.intent.key)
            writer.member("salonId", booking.salonID, as: SalonIDCodec.self)
            writer.member("appointmentTime", booking.time, as: AppointmentTimeCodec.self)
            writer.member("until", left.until)
            writer.member("reason", left.reason)
        }
    }
}
