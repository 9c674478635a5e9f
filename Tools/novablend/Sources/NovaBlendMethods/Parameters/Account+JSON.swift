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

    /// The property of a result that has this member.
    static let property = ObjectSchema.Property(
        "account",
        .object(
            ObjectSchema([
                .init("name", Schemas.string),
                .init("profile", Schemas.string),
                .init("server", Schemas.string, "the appointments URL", isRequired: false),
            ]).named("Account")
        ),
        "whose data this is"
    )
}

extension OtherAccounts {
    /// Writes the member `otherAccounts`: `[{"account", "open"}]`, with an `error` in place of `open`
    /// if a journal cannot be read.
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

    /// The property of a result that has this member.
    static let property = ObjectSchema.Property(
        "otherAccounts",
        Schemas.array(
            of: ObjectSchema([
                .init("account", Schemas.string),
                .init("open", Schemas.integer, "how many are open", isRequired: false),
                .init("error", Schemas.string, isRequired: false),
            ]).named("OtherAccount")
        ),
        "other accounts in the same directory that have open bookings; they are not resolved"
    )
}
