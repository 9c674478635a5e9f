import CommandLineKit
import NovaBlendMethods

extension MethodCommand {
    static let cache = MethodCommand(
        name: "cache",
        summary: "show, check, or clear the cache",
        details: [
            "status shows the cache and changes nothing. validate deletes expired and unreadable "
                + "data. clear deletes everything. None of them affects pending bookings."
        ],
        inputs: [
            .cacheAction, .dryRun,
        ],
        examples: [
            .init("novablend cache", "what is cached, and how old it is"),
            .init("novablend cache clear", "delete everything that is cached"),
        ],
        methods: [CacheMethods.status, CacheMethods.validate, CacheMethods.clear],
        selectMethod: { invocation in
            switch invocation[.cacheAction] {
            case "validate": CacheMethods.validate
            case "clear": CacheMethods.clear
            default: CacheMethods.status
            }
        },
        view: CacheViews.show
    )
}

extension MethodInput {
    static let cacheAction = argument(
        "ACTION",
        .choice(["status", "validate", "clear"], "ACTION"),
        isRequired: false,
        "what to do with the cache (default: status)"
    )
}
