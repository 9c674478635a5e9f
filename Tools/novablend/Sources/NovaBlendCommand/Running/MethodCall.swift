/// How a command calls the methods that JSON-RPC has, and shows what they give.
struct MethodCall: Sendable {
    /// What a report is made from.
    struct Scene: Sendable {
        let invocation: Invocation
        let conversation: Conversation
    }

    typealias Choice = @Sendable (Invocation) -> String
    typealias Preparation =
        @Sendable (Invocation, TypedTime, inout Parameters) throws(CommandFailure) -> Void
    typealias View = @Sendable (Answer, Scene) async -> Report

    /// Those that it may call.
    let methods: [String]
    /// Whether a person is asked before.
    let isConfirmed: Bool
    /// Which of them it calls.
    let choose: Choice
    /// Sets what does not follow from the description of arguments and options.
    let prepare: Preparation
    let show: View

    init(
        _ method: String,
        isConfirmed: Bool = false,
        prepare: @escaping Preparation = { _, _, _ throws(CommandFailure) in },
        show: @escaping View
    ) {
        self.init([method], isConfirmed: isConfirmed, choose: { _ in method }, prepare, show)
    }

    init(
        _ methods: [String],
        isConfirmed: Bool = false,
        choose: @escaping Choice,
        _ prepare: @escaping Preparation = { _, _, _ throws(CommandFailure) in },
        _ show: @escaping View
    ) {
        self.methods = methods
        self.isConfirmed = isConfirmed
        self.choose = choose
        self.prepare = prepare
        self.show = show
    }
}
