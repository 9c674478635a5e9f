import CommandLineKit
import NovaBlendMethods

extension MethodCommand {
    static let cache = MethodCommand(
        name: "cache",
        summary: "show, check, or clear the cache, or erase a customer from it",
        details: [
            "status shows the cache and changes nothing. validate deletes expired and unreadable "
                + "data. clear deletes everything. None of them affects pending bookings.",
            "erase PHONE removes a customer's data from the caches and journals of all accounts in the "
                + "same directories. The phone number of a booking in doubt stays, because it is the "
                + "evidence; the command says how long. The server's data is not changed: erase it "
                + "there first, because the next list from the server brings it back.",
        ],
        inputs: [
            .cacheAction, .erasedPhone, .dryRun,
        ],
        examples: [
            .init("novablend cache", "what is cached, and how old it is"),
            .init("novablend cache clear", "delete everything that is cached"),
            .init("novablend cache erase '+49 30 1234567'", "forget a customer"),
        ],
        call: .init(CacheMethods.status, view: CacheViews.status),
        otherCalls: [
            .init(CacheMethods.validate, view: CacheViews.validated) {
                $0[.cacheAction] == "validate"
            },
            .init(CacheMethods.clear, view: CacheViews.cleared) { $0[.cacheAction] == "clear" },
            .init(CacheMethods.erase, view: CacheViews.erased) { $0[.cacheAction] == "erase" },
        ]
    )
}

extension MethodInput {
    static let cacheAction = argument(
        "ACTION",
        .choice(["status", "validate", "clear", "erase"], "ACTION"),
        isRequired: false,
        "what to do with the cache (default: status)"
    )
    static let erasedPhone = argument(
        "PHONE",
        .text("PHONE"),
        isRequired: false,
        sets: "phone",
        "with erase, the customer's phone number in any form"
    )
}
