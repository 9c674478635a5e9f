import JSON
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters

extension Account {
    /// Writes the member `account`: `{"name", "profile", "server"?}`.
    func write(to writer: inout JSONWriter) {
        writer.key("account")
        writer.object { writer in
            writer.member("name", name)
            writer.member("profile", profile)
            writer.member("server", server)
        }
    }

    /// The schema of this member in a result.
    static let property = ObjectSchema.Property(
        "account",
        .object(
            ObjectSchema([
                .init("name", Schemas.string),
                .init("profile", Schemas.string),
                .init("server", Schemas.string, "the appointments URL", isRequired: false),
            ]).named("Account")
        ),
        "the account of this data"
    )
}

extension OtherAccounts {
    /// Writes the member `otherAccounts`: `[{"account", "open"}]`, with an `error` instead of `open` if
    /// a journal cannot be read.
    func write(to writer: inout JSONWriter) {
        writer.key("otherAccounts")
        writer.array { writer in
            for entry in entries {
                writer.object { writer in
                    writer.member("account", entry.account)
                    writer.member("open", entry.open)
                    if entry.open == nil { writer.member("error", "its journal cannot be read") }
                }
            }
        }
    }

    /// The schema of this member in a result.
    static let property = ObjectSchema.Property(
        "otherAccounts",
        Schemas.array(
            of: ObjectSchema([
                .init("account", Schemas.string),
                .init("open", Schemas.integer, "bookings in doubt", isRequired: false),
                .init("error", Schemas.string, isRequired: false),
            ]).named("OtherAccount")
        ),
        "other accounts in the same directory with bookings in doubt; they are not resolved"
    )
}
