/** Requests and responses as types, written from the schemas that the service checks with by `npm run client-types`. */

/** Response of `GET /health`. */
export type Health = {
	/** Always ok. */
	status: 'ok';
	/** Version of the interface. */
	version: string;
	/** Time since startup; 0 if not started. In s. */
	uptime_seconds: number;
	/** Number of the current state; -1 if there is none. */
	state_id: number;
	/** Configured identifier of the embedding model. */
	embedding_model: string;
};

/** Body of `POST /cycle`. */
export type CycleRequest = {
	/** The text, not blank. The embedding model cuts a text that is too long for it. */
	content: string;
	/** What triggers the cycle. Known are user, veille, corpus, rumination_free; any other is kept as it is and treated as a conversation. */
	trigger_type?: string;
	/** Who says it: always the same name for the same person, and “self” for the agent’s own words. Kept as metadata.source, which wins where it is given too. */
	source?: string;
	/** The conversation that it belongs to. Kept as metadata.conversation, which wins where it is given too. */
	conversation?: string;
	/** Notes of the caller, kept with the cycle. */
	metadata?: Record<string, unknown>;
};

/** Response of `POST /cycle`. */
export type CycleResponse = {
	/** Number of the current state. */
	state_id: number;
	/** Euclidean norm of the applied delta; at most 0.001. */
	delta_magnitude: number;
	/** Total dissonance of the text against the state: 0 where they agree, 1 where they are unrelated, 2 where they are opposed. */
	dissonance_total: number;
	/** Whether the dissonance is a choc. */
	is_choc: boolean;
	/** Dimensions with a dissonance score over 0.1. */
	dimensions_affected: Array<'firstness' | 'secondness' | 'thirdness' | 'dispositions' | 'orientations' | 'engagements' | 'pertinences' | 'valeurs'>;
	/** Elapsed wall time of the cycle. In ms. */
	processing_time_ms: number;
};

/** Response of `POST /dry-run`. */
export type DryRunResponse = {
	/** Number of the current state. */
	state_id: number;
	/** Euclidean norm of the applied delta; at most 0.001. */
	delta_magnitude: number;
	/** Total dissonance of the text against the state: 0 where they agree, 1 where they are unrelated, 2 where they are opposed. */
	dissonance_total: number;
	/** Whether the dissonance is a choc. */
	is_choc: boolean;
	/** Dimensions with a dissonance score over 0.1. */
	dimensions_affected: Array<'firstness' | 'secondness' | 'thirdness' | 'dispositions' | 'orientations' | 'engagements' | 'pertinences' | 'valeurs'>;
	/** Elapsed wall time of the cycle. In ms. */
	processing_time_ms: number;
	/** Share of the last 500 texts with a lower dissonance. Null with fewer than 50, and without a journal. */
	dissonance_percentile: number | null;
	/** How far thirdness would turn. In mrad. */
	turn_mrad: number;
	/** The ten directions that would move most, the strongest first. */
	moves: Array<{
		/** <category>.<direction name>. */
		key: string;
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
		/** Dot product of thirdness and the direction now. */
		before: number;
		/** The same after the text. */
		after: number;
		/** The difference. */
		change: number;
	}>;
	/** The norm of each method’s vector, unweighted. */
	by_method: {
		/** Of tenacity. */
		tenacity: number;
		/** Of authority. */
		authority: number;
		/** Of the a priori method. */
		apriori: number;
		/** Of science. */
		science: number;
	};
	/** The five nearest of the last 500 texts, the nearest first. Empty without a journal. */
	nearest: Array<{
		/** The id of its cycle. */
		id: string;
		/** When its cycle ran; ISO 8601, UTC. */
		timestamp: string;
		/** Cosine of the two texts’ vectors. */
		cosine: number;
		/** At most 1000 characters of it. Null where the journal keeps hashes. */
		content: string | null;
	}>;
};

/** Body of `POST /what-if`. */
export type WhatIfRequest = {
	/** Where the other self begins. The id of a state, a time in ISO 8601, beginning or present. A reset uses ids again: the newest state of an id is meant. */
	from?: number | string;
	/** Texts to leave out. */
	without?: {
		/** Texts of these sources are left out. A source is metadata.source, else the trigger. */
		sources?: Array<string>;
		/** Texts with these triggers are left out. */
		triggers?: Array<string>;
		/** The texts of these cycles are left out. */
		ids?: Array<string>;
	};
	/** Texts to say now, in their order. */
	add?: Array<string>;
};

/** Response of `POST /what-if`. */
export type WhatIfResponse = {
	/** A state of the past. */
	from: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** How many texts there are since then. */
	cycles: number;
	/** How many of them the other self did not hear. */
	left_out: number;
	/** How many texts it heard in addition. */
	added: number;
	/** The angle between the two, on thirdness. In mrad. */
	angle_mrad: number;
	/** The ten directions that differ most, the strongest first. */
	directions: Array<{
		/** <category>.<direction name>. */
		key: string;
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
		/** Of the present self. */
		present: number;
		/** Of the other self. */
		other: number;
		/** How much more the other self has. */
		difference: number;
		/** The same in standard deviations of the example sentences. Null without a scale. */
		z_difference: number | null;
	}>;
	/** The difference in words. */
	words: Array<string>;
	/** How likely ordinary talk since the validation, or since from where that is later, leads as far from its mean as the other self is. Null without a validation, and where nothing was said since. */
	p: number | null;
};

/** Body of `POST /translate`. */
export type TranslateRequest = {
	/** What the words are for; the language model gets it. */
	context?: string | null;
	/** Accepted and not used. */
	max_length?: number;
};

/** Response of `POST /translate`. */
export type TranslateResponse = {
	/** The words. */
	text: string;
	/** Projections of the state, under <category>.<direction name>. */
	projections: Record<string, number>;
	/** Whether the text contains the model’s reasoning about its task. */
	reasoning_detected: boolean;
	/** What a reader must know beside the words: that many of the newest texts could not be read. Absent for nothing. */
	note?: string;
	/** Whether the words say what the state does: the rank correlation of its 20 strongest projections with those of the text’s own embedding. Null where it cannot be computed. */
	faithfulness: number | null;
};

/** Response of `GET /state`. */
export type State = {
	/** Number of the current state. */
	state_id: number;
	/** When the state was made; ISO 8601, UTC. */
	timestamp: string;
	/** The first 10 floats of each dimension’s vector. */
	dimensions: {
		/** The beginning of firstness. */
		firstness: Array<number>;
		/** The beginning of secondness. */
		secondness: Array<number>;
		/** The beginning of thirdness. */
		thirdness: Array<number>;
		/** The beginning of dispositions. */
		dispositions: Array<number>;
		/** The beginning of orientations. */
		orientations: Array<number>;
		/** The beginning of engagements. */
		engagements: Array<number>;
		/** The beginning of pertinences. */
		pertinences: Array<number>;
		/** The beginning of valeurs. */
		valeurs: Array<number>;
	};
};

/** Response of `GET /tensor`. */
export type Tensor = {
	/** Number of the current state. */
	state_id: number;
	/** When the state was made; ISO 8601, UTC. */
	timestamp: string;
	/** Each dimension’s vector, of unit length: 1024 float32, with the 9 digits that give back the same float32. */
	dimensions: {
		/** The vector of firstness, 1024 floats. */
		firstness: Array<number>;
		/** The vector of secondness, 1024 floats. */
		secondness: Array<number>;
		/** The vector of thirdness, 1024 floats. */
		thirdness: Array<number>;
		/** The vector of dispositions, 1024 floats. */
		dispositions: Array<number>;
		/** The vector of orientations, 1024 floats. */
		orientations: Array<number>;
		/** The vector of engagements, 1024 floats. */
		engagements: Array<number>;
		/** The vector of pertinences, 1024 floats. */
		pertinences: Array<number>;
		/** The vector of valeurs, 1024 floats. */
		valeurs: Array<number>;
	};
};

/** Response of `GET /vigilance`. */
export type Vigilance = {
	/** The alarm. */
	level: 'ok' | 'warning' | 'critical';
	/** How far the state has moved since its beginning or the last reset: the sum of its steps, each relative to the length of the state. */
	cumulative_drift: number;
	/** The three dimensions farthest from the reference, farthest first. */
	top_drifting_dimensions: Array<'firstness' | 'secondness' | 'thirdness' | 'dispositions' | 'orientations' | 'engagements' | 'pertinences' | 'valeurs'>;
	/** The reason of the level, and what the drift is made of: the path travelled, the cycles that made it, and the net distance from the beginning or the last reset. Every cycle adds to the path, whatever is said. Null at ok. */
	message: string | null;
};

/** Response of `GET /metrics`, as JSON. */
export type Metrics = {
	/** Overall status: critical after a critical alert in the last hour, warning after more than two warnings. */
	status: 'healthy' | 'warning' | 'critical';
	/** Time since startup or the last reset. In h. */
	uptime_hours: number;
	/** Cycles done since startup or the last reset. */
	total_cycles: number;
	/** Cycles done in the last hour. */
	cycles_last_hour: number;
	/** Alerts of the last hour, by level. */
	alerts: Record<string, number>;
};

/** Response of `POST /reset`. */
export type ResetResponse = {
	/** Always ok. */
	status: 'ok';
	/** Number of the restored state. */
	state_id: number;
};

/** Body of `POST /validate`. */
export type ValidateRequest = {
	/** What it was made for. */
	note: string;
	/** Whether to validate where more than a tenth of the last 100 texts are in languages that the embedding model does not read; else that is a 409. */
	accept_unread?: boolean;
};

/** Response of `POST /validate`. */
export type ValidateResponse = {
	/** Its id, as its event and its record have it. */
	id: string;
	/** When it was made; ISO 8601, UTC. */
	timestamp: string;
	/** Number of the current state. */
	state_id: number;
	/** What it was made for. */
	note: string;
	/** The texts before it, which later ones are compared with. */
	baseline: {
		/** How many there are. */
		texts: number;
		/** How many visits they were said in: texts of one source without a pause of 30 minutes. */
		visits: number;
		/** How many sources they have; null where the journal keeps hashes, and triggers stand for sources. */
		sources: number | null;
		/** When the first of them was said; ISO 8601, UTC. */
		from: string;
	};
};

/** Response of `GET /daemon/status`. Two names mislead, as the interface has them: `cycles_since_last_user` is the total of all cycles but the user's, and `time_since_last_user_seconds` counts from the last trigger of any kind. */
export type DaemonStatus = {
	/** The mode. */
	mode: 'idle' | 'conversation' | 'autonomous';
	/** Whether the last trigger was one of the autonomous loop’s. */
	is_ruminating: boolean;
	/** Whether the autonomous loop runs. */
	daemon_running: boolean;
	/** The last trigger; null when no cycle has run. */
	last_trigger: {
		/** What triggered the cycle. */
		type: string;
		/** When; ISO 8601, UTC. */
		timestamp: string;
	} | null;
	/** Cycles by known trigger. */
	cycles_breakdown: {
		/** Cycles triggered by user. */
		user: number;
		/** Cycles triggered by veille. */
		veille: number;
		/** Cycles triggered by corpus. */
		corpus: number;
		/** Cycles triggered by rumination_free. */
		rumination_free: number;
	};
	/** Despite its name, a total: the sum of the counters of all triggers but user. A cycle of a user does not set it back, only a reset does. */
	cycles_since_last_user: number;
	/** Despite its name, the time since the last trigger of any kind, the autonomous loop’s included; null when there was none. In s. */
	time_since_last_user_seconds: number | null;
};

/** Response of `POST /daemon/start`. */
export type DaemonStartResponse = {
	/** Started by this request. */
	status: 'started';
	/** What happened, for a reader. */
	message: string;
	/** How often the autonomous loop runs a cycle, and which texts it draws. */
	config: {
		/** Wait before each cycle. In s. */
		cycle_interval_seconds: number;
		/** Share of free rumination. */
		prob_rumination_free: number;
		/** Share of corpus themes. */
		prob_corpus: number;
		/** Unresolved share, which becomes free rumination. */
		prob_unresolved: number;
	};
} | {
	/** Running before this request. */
	status: 'already_running';
	/** What happened, for a reader. */
	message: string;
};

/** Response of `POST /daemon/stop`. */
export type DaemonStopResponse = {
	/** stopped if it was running, not_running otherwise. */
	status: 'stopped' | 'not_running';
	/** What happened, for a reader. */
	message: string;
};

/** Response of `GET /profile`. */
export type Profile = {
	/** Number of the current state. */
	state_id: number;
	/** Number of loaded directions. */
	directions_count: number;
	/** The current state: category → direction name → entry. */
	profile: Record<string, Record<string, {
		/** Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals. */
		value: number;
		/** Name of a dimension. */
		dimension: 'firstness' | 'secondness' | 'thirdness' | 'dispositions' | 'orientations' | 'engagements' | 'pertinences' | 'valeurs';
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
	}>>;
	/** The reference: category → direction name → entry. */
	reference_profile: Record<string, Record<string, {
		/** Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals. */
		value: number;
		/** Name of a dimension. */
		dimension: 'firstness' | 'secondness' | 'thirdness' | 'dispositions' | 'orientations' | 'engagements' | 'pertinences' | 'valeurs';
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
	}>>;
	/** Mean over the dimensions of the dot products of state and reference, rounded to 4 decimals. */
	reference_similarity: number;
};

/** Response of `GET /profile/scaled`. */
export type ScaledProfile = {
	/** Number of the current state. */
	state_id: number;
	/** own: each direction on the dimension of its category. thirdness: every direction on thirdness, which texts move. */
	lens: 'own' | 'thirdness';
	/** Whether the identity began with random vectors. What does not move then says nothing about it. */
	begun_at_random: boolean;
	/** How many example sentences the units come from; 0 where none are known. */
	examples: number;
	/** What a reader must know beside the numbers: why directions have no scale, or that many texts could not be read. Null for nothing. */
	note: string | null;
	/** Every direction that has a vector, in the order of the catalogue. */
	directions: Array<{
		/** <category>.<direction name>. */
		key: string;
		/** Category of the direction. */
		category: string;
		/** Name of the direction. */
		name: string;
		/** Name of a dimension. */
		dimension: 'firstness' | 'secondness' | 'thirdness' | 'dispositions' | 'orientations' | 'engagements' | 'pertinences' | 'valeurs';
		/** Whether texts can move it: they move thirdness alone. */
		moves: boolean;
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
		/** Dot product of the dimension’s vector and the direction’s, rounded to 4 decimals. */
		value: number;
		/** How far the value lies from the mean of the example sentences, in their standard deviations. Null without a scale. */
		z: number | null;
		/** Share of the example sentences with a lower value. Null without a scale, or with fewer than 50 sentences. */
		percentile: number | null;
		/** What chance alone does to the value: its standard deviation among twins, as /drift compares with; 0 where texts do not move it. Null until /drift was answered with a validation. */
		noise: number | null;
		/** none: no different from chance, since |z| is under 1 or, after a random beginning, texts moved it by less than one z. leaning: |z| up to 2. strong: more. Null without a scale. */
		word: 'leaning' | 'none' | 'strong' | null;
		/** Whether it differs from chance: its word is leaning or strong. */
		stands_out: boolean;
		/** The pole that it leans to, by the sign of z. Null where it leans to none. */
		pole: string | null;
	}>;
};

/** Response of `GET /ledger`. */
export type Ledger = {
	/** Number of the current state. */
	state_id: number;
	/** What the entries are. */
	by: 'text' | 'source' | 'trigger' | 'method';
	/** The direction that parts are measured on. */
	direction: string | null;
	/** The present value on the direction, which the parts sum to. Null without one. */
	value: number | null;
	/** A state of the past. */
	from: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** How many cycles the ledger is of. */
	cycles: number;
	/** What is left of the state that the ledger begins with: its weight in the present one. */
	beginning_left: number;
	/** After how many cycles half of a text is left. Null where nothing fades. In cycles. */
	half_life_cycles: number | null;
	/** The beginning and the push, then the largest first. */
	entries: Array<{
		/** texts: those of a source or a trigger. text: a single one. method: a method’s part of all texts. push: what the rule itself does at every text. beginning: the initial state. before: the state that the ledger begins with, where that is a later one. others: what is not shown. */
		kind: 'texts' | 'text' | 'method' | 'push' | 'beginning' | 'before' | 'others';
		/** Id of the text, or name of the source, trigger or method; else the kind. */
		key: string;
		/** How many texts it is made of. */
		texts: number;
		/** Its weight among all entries. */
		share: number;
		/** Its part of the value. Null without a direction. */
		part: number | null;
		/** Of a text: when its cycle ran; ISO 8601, UTC. */
		timestamp?: string;
		/** Of a text: its metadata’s source, else its trigger. */
		source?: string;
		/** Of a text: what triggered its cycle. */
		trigger?: string;
		/** Of a text: at most 1000 characters of it. Null where the journal keeps hashes. */
		content?: string | null;
	}>;
	/** What a reader must know beside the numbers. Null for nothing. */
	note: string | null;
};

/** Response of `GET /history`. */
export type History = {
	/** A state of the past. */
	from: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** A state of the past. */
	to: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** The direction that thirdness is followed on. */
	direction: string | null;
	/** How many cycles lie between them. */
	cycles: number;
	/** Oldest first, evenly spread over the cycles; the first and the last state always. */
	points: Array<{
		/** Number of the current state. */
		state_id: number;
		/** When the state was made; ISO 8601, UTC. */
		timestamp: string;
		/** The angle of thirdness between the first state and this one. In mrad. */
		net_mrad: number;
		/** The angles of all cycles up to this one, summed. In mrad. */
		path_mrad: number;
		/** The weight of the first state in this one. */
		beginning_left: number;
		/** The weight of what the rule itself pushed in since then. */
		push: number;
		/** Total dissonance of the text that made it. Null for the first state. */
		dissonance: number | null;
		/** Its place among the 500 totals before it. Null where they are fewer than 50. */
		dissonance_percentile: number | null;
		/** Id of the cycle that made it. Null for the first state. */
		id: string | null;
		/** The source of its text: the metadata’s source, else the trigger. Null for the first state. */
		source: string | null;
		/** At most 1000 characters of its text. Null for the first state, and where the journal keeps hashes. */
		content: string | null;
		/** Thirdness on the direction. Null without one. */
		value: number | null;
		/** The visit chart after the last visit that had ended by then, by span. Null before the validation, and where the chart is not calibrated. */
		chart: Array<{
			/** Over how many visits it looks back. */
			span: number;
			/** The reading: 1 is usual. */
			reading: number;
			/** A reading above it is an alarm. */
			limit: number;
		}> | null;
		/** The value in standard deviations from the mean of the example sentences. Null without a direction or a scale. */
		z: number | null;
	}>;
};

/** Response of `GET /diff`. */
export type Difference = {
	/** A state of the past. */
	from: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** A state of the past. */
	to: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** How many cycles lie between them, since the last reset. */
	cycles: number;
	/** The angle of thirdness between them. In mrad. */
	angle_mrad: number;
	/** The ten directions that changed most on thirdness. */
	directions: Array<{
		/** <category>.<direction name>. */
		key: string;
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
		/** The projection of the first state. */
		from: number;
		/** The projection of the second state. */
		to: number;
		/** The second less the first. */
		change: number;
		/** The change in standard deviations of ordinary sentences. Null without a scale. */
		z_change: number | null;
	}>;
	/** The texts that did most. */
	texts: Array<{
		/** Id of its cycle. */
		id: string;
		/** When its cycle ran; ISO 8601, UTC. */
		timestamp: string;
		/** Its metadata’s source, else its trigger. */
		source: string;
		/** What triggered its cycle. */
		trigger: string;
		/** At most 1000 characters of it. Null where the journal keeps hashes. */
		content: string | null;
		/** Its part of the way from the one state to the other, of 1; below 0 it went against it. */
		share: number;
	}>;
	/** The sources that did most. */
	sources: Array<{
		/** The source. */
		source: string;
		/** How many texts. */
		texts: number;
		/** Their part of the way, of 1; below 0 they went against it. */
		share: number;
	}>;
	/** The part of the way that the rule itself went, whatever was said. */
	push_share: number;
	/** The same in sentences. */
	words: Array<string>;
	/** What a reader must know beside the numbers. Null for nothing. */
	note: string | null;
};

/** Response of `GET /drift`. */
export type Drift = {
	/** The state that the answer is of. It is answered again until the state has moved by 20 cycles, or by a twentieth of all where that is less. */
	state_id: number;
	/** A state of the past. */
	since: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** The newest validation. Null where none was made. */
	validation: {
		/** Id of the validation. */
		id: string;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
		/** Why, in the words of who did it. */
		note: string;
		/** The state that was validated. */
		state_id: number;
		/** How many texts the baseline has: they say what is ordinary. */
		texts: number;
		/** How many visits they came in. */
		visits: number;
	} | null;
	/** How many cycles lie between the two states. */
	cycles: number;
	/** The angle of thirdness between the two states. In mrad. */
	net_mrad: number;
	/** The median angle of the twins: 99 copies of the first state, which heard ordinary talk in as many cycles. Null without a baseline. In mrad. */
	expected_mrad: number | null;
	/** How far the state lies from the mean of the twins. Null without a baseline. In mrad. */
	excess_mrad: number | null;
	/** How far the median twin lies from the mean of the others. Null without a baseline. In mrad. */
	typical_mrad: number | null;
	/** How likely ordinary talk leads as far from the mean of the twins. Null without a baseline. */
	p: number | null;
	/** The directions on which the state differs from the twins by more than chance, the strongest first. Of those that are named, 5 % are by chance. */
	stand_out: Array<{
		/** <category>.<direction name>. */
		key: string;
		/** What a positive value means. */
		pole_positive: string;
		/** What a negative value means. */
		pole_negative: string;
		/** Thirdness on it. */
		value: number;
		/** The mean of the twins. */
		expected: number;
		/** The difference in standard deviations of the twins. */
		z: number;
		/** How likely chance alone makes as much of a difference. */
		p: number;
	}>;
	/** The largest part of the difference first; without a baseline the largest weight. */
	sources: Array<{
		/** The metadata’s source, else the trigger. */
		source: string;
		/** How many texts. */
		texts: number;
		/** Their part of all texts. */
		text_share: number;
		/** Their part of the weight that all texts have in the present. */
		weight_share: number;
		/** Their part of the difference from the mean of the twins, of 1; below 0 they went against it. Null without a baseline. */
		unusual_share: number | null;
		/** Only where it is no source, but the sum of those that are not named: how many they are. */
		others?: number;
	}>;
	/** p of the state without the texts of the first source, against twins of that length. Null without a baseline, and where that source said all. */
	p_without_top_source: number | null;
	/** The way from the first state to the last: at most 25 states, evenly spread over the cycles. */
	path: Array<{
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
		/** The angle from the first state. In mrad. */
		net_mrad: number;
		/** The 5 % quantile of the twins’ angles. Null without a baseline, as the fields below. In mrad. */
		net_low_mrad: number | null;
		/** Their median. In mrad. */
		net_median_mrad: number | null;
		/** Their 95 % quantile. In mrad. */
		net_high_mrad: number | null;
		/** How far it lies from the mean of the twins. In mrad. */
		excess_mrad: number | null;
		/** The 5 % quantile of the twins, each from the mean of the others. In mrad. */
		excess_low_mrad: number | null;
		/** Their median. In mrad. */
		excess_median_mrad: number | null;
		/** Their 95 % quantile. In mrad. */
		excess_high_mrad: number | null;
	}>;
	/** The chart of visits. Null without a validation. */
	chart: {
		/** Whether the baseline has texts enough for limits. */
		calibrated: boolean;
		/** How many visits have ended since the validation. The last one may go on, and is not among them. */
		visits: number;
		/** By span. None before the first visit has ended. */
		readings: Array<{
			/** Over how many visits it looks back. */
			span: number;
			/** The reading: 1 is usual. */
			reading: number;
			/** A reading above it is an alarm. */
			limit: number;
		}>;
		/** After how many visits of ordinary talk an alarm comes by chance, on average. */
		average_run_length: number;
		/** Whether a reading is above its limit. */
		alarm: boolean;
		/** The sources behind the reading that is nearest to its limit, the largest first. */
		blame: Array<{
			/** The source. */
			source: string;
			/** The part of its visits, of 1; below 0 they went against it. */
			share: number;
			/** How many texts they have. */
			texts: number;
			/** Ids of the cycles of these texts, newest first, at most 100, and at most 2000 of all sources. */
			ids: Array<string>;
			/** Only where it is no source, but the sum of those that are not named: how many they are. */
			others?: number;
		}>;
		/** What a reader must know beside the numbers. Null for nothing. */
		note: string | null;
	} | null;
	/** The same in a sentence. */
	sentence: string;
	/** What a reader must know beside the numbers. Null for nothing. */
	note: string | null;
};

/** Response of `GET /sources`. */
export type Sources = {
	/** The state that the answer is of, as in /drift. */
	state_id: number;
	/** A state of the past. */
	since: {
		/** Its number. */
		state_id: number;
		/** When it was made; ISO 8601, UTC. */
		timestamp: string;
	};
	/** The largest part of the difference first; without a baseline the largest weight. */
	sources: Array<{
		/** The metadata’s source, else the trigger. */
		source: string;
		/** How many texts. */
		texts: number;
		/** Their part of all texts. */
		text_share: number;
		/** Their part of the weight that all texts have in the present. */
		weight_share: number;
		/** Their part of the difference from the mean of the twins, of 1; below 0 they went against it. Null without a baseline. */
		unusual_share: number | null;
		/** Only where it is no source, but the sum of those that are not named: how many they are. */
		others?: number;
		/** How many visits these texts came in. */
		visits: number;
		/** How alike its texts are, beyond what is common to all: the mean product of two of them over the variance. Null without a baseline, and with one text. */
		coherence: number | null;
		/** How likely its visits differ as much by chance from those of the baseline. Null without a baseline, and with fewer than 4 visits on either side. */
		changed_p: number | null;
		/** How many of its texts were nearly the identity’s own words, since the start. Null where that is not watched. */
		echoes: number | null;
	}>;
	/** The part of the difference at which a source is noticed. */
	budget: number;
	/** What a reader must know beside the numbers. Null for nothing. */
	note: string | null;
};

/** Response of `GET /identities`. */
export type Identities = {
	/** The page. */
	identities: Array<{
		/** Its name. */
		id: string;
		/** Whether it is in memory. One that is not is opened by the first request. */
		is_live: boolean;
	}>;
	/** The value of `after` for the next page; null for the last page. */
	next: string | null;
	/** The identity that requests without a name mean. */
	default_id: string;
};

/** Body of `PUT /identities/:id`. */
export type CreateIdentityRequest = {
	/** The name of an identity with whose present state and reference it begins. Its past is not copied. */
	copy_of?: string | null;
	/** The state to begin with, as GET /tensor gives it. */
	state?: {
		/** Number of the current state. */
		state_id: number;
		/** When the state was made; ISO 8601, UTC. */
		timestamp: string;
		/** Each dimension’s vector, of unit length: 1024 float32, with the 9 digits that give back the same float32. */
		dimensions: {
			/** The vector of firstness, 1024 floats. */
			firstness: Array<number>;
			/** The vector of secondness, 1024 floats. */
			secondness: Array<number>;
			/** The vector of thirdness, 1024 floats. */
			thirdness: Array<number>;
			/** The vector of dispositions, 1024 floats. */
			dispositions: Array<number>;
			/** The vector of orientations, 1024 floats. */
			orientations: Array<number>;
			/** The vector of engagements, 1024 floats. */
			engagements: Array<number>;
			/** The vector of pertinences, 1024 floats. */
			pertinences: Array<number>;
			/** The vector of valeurs, 1024 floats. */
			valeurs: Array<number>;
		};
	} | null;
};

/** Response of `PUT /identities/:id`. */
export type IdentityInfo = {
	/** Its name. */
	id: string;
	/** Whether it is in memory. One that is not is opened by the first request. */
	is_live: boolean;
};

/** Response of `GET /livez`. */
export type Alive = {
	/** Always ok. */
	status: 'ok';
};

/** Response of `GET /readyz`. */
export type Ready = {
	/** Always ready; otherwise the status is 503. */
	status: 'ready';
	/** Part → ok. The store may have a reason instead of ok. */
	parts: Record<string, string>;
	/** The languages that the embedding model was trained for. It understands little of texts in others. Absent where the encoder does not say. */
	languages?: Array<string>;
	/** What an operator must know though the service is ready: that many of the newest texts are in other languages. Absent for nothing. */
	note?: string;
};

/** Response of `GET /openapi.json`. */
export type OpenapiDocument = {
	/** Version of OpenAPI. */
	openapi: string;
	/** What the document is about. */
	info: Record<string, unknown>;
	/** Path → method → operation. */
	paths: Record<string, unknown>;
};
