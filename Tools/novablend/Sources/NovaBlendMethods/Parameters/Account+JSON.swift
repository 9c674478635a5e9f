import JSON
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters

extension Account {
    /// Writes the member `account`: `{"name", "profile", "server"?}`.
    func write(to writer: inout JSONWriter) {
        writer.object("account") { writer in
            writer.member("name", name)
            writer.member("profile", profile)
            writer.member("server", server)
        }
    }

    /// The schema of the member `account` in a result.
    static let property = ObjectSchema.Property(
        "account",
        .object(
            ObjectSchema([
                .init("name", .string),
                .init("profile", .string),
                .optional("server", .string, "the appointments URL"),
            ]).named("Account")
        ),
        "the account of this data"
    )
}

extension OtherAccounts {
    /// Writes the member `otherAccounts`: `[{"account", "open"}]`, with an `error` instead of `open` if
    /// a journal cannot be read.
    func write(to writer: inout JSONWriter) {
        writer.objects("otherAccounts", entries) { entry, writer in
            writer.member("account", entry.account)
            writer.member("open", entry.open)
            if entry.open == nil { writer.member("error", "its journal cannot be read") }
        }
    }

    /// The schema of the member `otherAccounts` in a result.
    static let property = ObjectSchema.Property(
        "otherAccounts",
        .array(
            of: .object(
                ObjectSchema([

                    .init("account", .string),
                    .optional("open", .integer, "number of bookings and changes in doubt"),
                    .optional("error", .string),
                ]).named("OtherAccount")
            )
        ),
        "other accounts in the same directory with bookings in doubt; they are not resolved"
    )
}
