import CommandLineKit
import NovaBlendMethods

extension MethodCommand {
    static let week = MethodCommand(
        name: "week",
        summary: "show a week: who is booked when, and what is free",
        details: [
            "It shows seven days, with a group of rows for each staff member. Your own bookings are "
                + "marked as yours; appointments of others are shown if the server lists them. "
                + "Colors are used only on a terminal, and not if NO_COLOR is set."
        ],
        inputs: [
            .salon(sets: "salonId"),
            .option("with", .staffMember(), sets: "staffId", "show only this staff member"),
            .option("service", .service, sets: "serviceId", "show when this service is free"),
            .option(
                "seats",
                .integer(1...1_000),
                sets: "seats",
                "show when so many seats are free"
            ),
            .option("from", .day, "the first day: \(TypedTime.dayForms) (default: today)"),
        ],
        examples: [
            .init("novablend week 'Atelier Nova'", "today and the next six days"),
            .init("novablend week Sol --with Ana", "the week of one staff member"),
            .init("novablend week Sol --from 2026-12-21", "the week of a holiday"),
            .init("novablend week Sol --watch", "for a screen at the reception"),
        ],
        methods: [SalonMethods.get, SlotMethods.availability, AppointmentMethods.list],
        combine: WeekLoader.load,
        watchedLists: ["appointments", "salons"],
        prepare: { invocation, times, params throws(CommandError) in
            guard let range = times.range(of: invocation.option("from") ?? "today", days: 7) else {
                throw .usage("--from must be \(TypedTime.dayForms)", of: invocation)
            }
            params.set("start", range.start)
            params.set("end", range.end)
        },
        view: WeekView.show
    )
}
