import JSON
import JSONRPC

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
        ObjectSchema([
            .init("name", Schemas.string),
            .init("profile", Schemas.string),
            .init("server", Schemas.string, "the appointments URL", isRequired: false),
        ]).fragment,
        "whose data this is"
    )
}
