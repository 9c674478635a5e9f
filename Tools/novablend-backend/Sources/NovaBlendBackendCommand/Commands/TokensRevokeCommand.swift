import BackendKit
import BookingStorage
import CommandLineKit

/// The command `tokens revoke`: makes a token invalid.
enum TokensRevokeCommand {
    static let command = Command(
        "tokens revoke",
        "make a token invalid",
        details: [
            "Running servers reject the token within 5 seconds. It cannot be made valid again."
        ],
        arguments: [Argument("ID", .tokenID, "the id of the token, which tokens list shows")],
        optionGroups: [DatabaseOption.group],
        examples: [.init("novablend-backend tokens revoke 91e3a0c2b45d6f78", "after a theft")],
        run: { invocation, _ throws(CommandError) in
            try await DatabaseOption.withStore(invocation) { store in
                let id = invocation.argument("ID") ?? ""
                guard try await store.revokeToken(id, at: SystemClock().now) else {
                    throw CommandError(.notFound, "there is no token with this id")
                }
                return .success
            }
        }
    )
}
