import CommandLineKit
import Contract
import NovaBlendMethods

extension MethodCommand {
    static let salons = MethodCommand(
        name: SalonListCodec.name,
        summary: "list salons",
        inputs: [
            .argument(
                "QUERY",
                .text("QUERY"),
                isRequired: false,
                sets: "query",
                "words of the name, the place, a service, or a person; case and accents do not matter"
            ),
            .option("open-at", .time, sets: "openAt", "only salons that are open at this time"),
            .limit, .cursor, .fields, .policy,
        ],
        examples: [
            .init("novablend salons --sandbox", "try it with sample salons"),
            .init("novablend salons berlin --open-at 'tomorrow 10:30'", "who is open then"),
            .init("novablend salons --json --limit 5", "list five salons, for a script"),
        ],
        call: .init(SalonMethods.list, view: SalonViews.list)
    )

    static let slots = MethodCommand(
        name: "slots",
        summary: "show when a salon is free",
        details: [
            "Without a day or a range, the command shows the next 24 hours. To book a slot, use "
                + "the time in its first column.",
            "A day includes its hours past midnight, whose slots have the next date.",
        ],
        inputs: [
            .salon(sets: "salonId"),
            .service, .staffMember, .seats,
            .day, .start,
            .option(
                "end",
                .endTime,
                "the end of the range; a day means its end (default: 24 hours after the start)"
            ),
            .explain, .all, .fields,
        ],
        examples: [
            .init("novablend slots 'Atelier Nova' --day tomorrow", "what is free tomorrow"),
            .init(
                "novablend slots Sol --service Color --with Ana",
                "when Ana is free for a service"
            ),
            .init(
                "novablend slots Sol --explain '2026-12-25 12:00'",
                "why a time cannot be booked"
            ),
        ],
        call: .init(SlotMethods.availability, view: SlotViews.list),
        prepare: SlotRange.prepare
    )

    static let services = MethodCommand(
        name: "services",
        summary: "list the services of a salon",
        inputs: [.salon(sets: "salonId"), .policy],
        examples: [.init("novablend services Sol", "names, minutes, and prices")],
        call: .init(ServiceMethods.services, view: ServiceViews.services)
    )

    static let staff = MethodCommand(
        name: "staff",
        summary: "list the staff of a salon",
        inputs: [.salon(sets: "salonId"), .policy],
        examples: [.init("novablend staff Sol", "who works when, and offers what")],
        call: .init(ServiceMethods.staff, view: ServiceViews.staff)
    )
}

extension MethodCommand {
    static let week = MethodCommand(
        name: "week",
        summary: "show a week: who is booked when, and what is free",
        details: [
            "The command shows seven days, with a group of rows for each staff member. Your own "
                + "bookings are marked as yours; appointments of others are shown if the server "
                + "lists them. Colors are used only on a terminal, and not if NO_COLOR is set."
        ],
        inputs: [
            .salon(sets: "salonId"), .shownStaff, .shownService, .shownSeats, .from,
        ],
        examples: [
            .init("novablend week 'Atelier Nova'", "today and the next six days"),
            .init("novablend week Sol --with Ana", "the week of one staff member"),
            .init("novablend week Sol --from 2026-12-21", "the week of a holiday"),
            .init("novablend week Sol --watch", "for a screen at the reception"),
        ],
        call: .init(
            of: AppointmentMethods.list.name,
            after: [SalonMethods.get.name, SlotMethods.availability.name],
            WeekReply.load,
            view: WeekView.show
        ),
        watchedLists: [AppointmentListCodec.name, SalonListCodec.name],
        prepare: { invocation, times, params throws(CommandError) in
            let first = invocation[.from] ?? "today"
            guard times.isDay(first) else {
                throw .usage("--from must be \(TypedTime.dayForms)", of: invocation)
            }
            params.set("start", first)
            params.set("days", 7)
        }
    )

    static let day = MethodCommand(
        name: "day",
        summary: "show a day: a column for each staff member",
        details: [
            "The command shows a day of novablend week as a grid, with a column for each staff "
                + "member, or for each seat where there is no staff. What takes longer than one row is "
                + "continued by |. Columns and rows that do not fit on the terminal are named below the "
                + "grid."
        ],
        inputs: [
            .salon(sets: "salonId"), .shownDay, .shownStaff, .shownService, .shownSeats,
        ],
        examples: [
            .init("novablend day 'Atelier Nova'", "today"),
            .init("novablend day Sol friday --service Color", "who can do a service when"),
            .init("novablend day Sol --watch", "for a screen at the reception"),
        ],
        call: .init(
            of: AppointmentMethods.list.name,
            after: [SalonMethods.get.name, SlotMethods.availability.name],
            WeekReply.load,
            view: DayGridView.show
        ),
        watchedLists: [AppointmentListCodec.name, SalonListCodec.name],
        prepare: { invocation, times, params throws(CommandError) in
            let day = invocation[.shownDay] ?? "today"
            guard times.isDay(day) else {
                throw .usage("DAY must be \(TypedTime.dayForms)", of: invocation)
            }
            params.set("start", day)
            params.set("days", 1)
        }
    )
}

/// Inputs that the commands above read themselves.
extension MethodInput {
    static let day = option("day", .day, "\(TypedTime.dayForms), on the salon's clock")
    static let start = option(
        "start",
        .startTime,
        "the start of the range; a day means its beginning"
    )
    static let explain = option("explain", .time, "explain which rule blocks this time")
    static let all = flag("all", "also show slots that are taken")
    fileprivate static let shownStaff = option(
        "with",
        .staffMember(),
        sets: "staffId",
        "show only this staff member"
    )
    fileprivate static let shownService = option(
        "service",
        .service,
        sets: "serviceId",
        "show when this service can be booked"
    )
    fileprivate static let shownSeats = option(
        "seats",
        .integer(1...1_000),
        "show when this number of seats is free"
    )
    fileprivate static let shownDay = argument(
        "DAY",
        .day,
        isRequired: false,
        "the day: \(TypedTime.dayForms) (default: today)"
    )
    fileprivate static let from = option(
        "from",
        .day,
        "the first day: \(TypedTime.dayForms) (default: today)"
    )
}
