/** Sentences on five topics, forty each: five beginnings by eight ends, in English and in French. */

type Topic = {readonly beginnings: readonly string[]; readonly ends: readonly string[]};

const english: Record<string, Topic> = {
	sea: {
		beginnings: ['The old sailor', 'A fishing boat', 'The captain of the ferry', 'A diver from the harbour', 'The lighthouse keeper'],
		ends: ['waited for the tide.', 'came back before the storm.', 'saw dolphins beyond the reef.', 'lost the anchor in deep water.', 'knew every current along the coast.', 'steered between the rocks.', 'watched the waves roll onto the beach.', 'smelled of salt and seaweed.'],
	},
	kitchen: {
		beginnings: ['The cook', 'My aunt', 'The young baker', 'A guest with an apron', 'The chef of the small restaurant'],
		ends: ['chopped the onions finely.', 'let the sauce simmer for an hour.', 'kneaded the dough by hand.', 'tasted the soup and added pepper.', 'roasted the vegetables in olive oil.', 'took the cake out of the oven.', 'whisked the eggs with sugar.', 'served the fish with lemon.'],
	},
	money: {
		beginnings: ['The accountant', 'A careful investor', 'The central bank', 'Our finance department', 'The owner of the firm'],
		ends: ['worried about inflation.', 'compared the interest rates.', 'closed the books for the quarter.', 'sold the shares at a loss.', 'asked for a loan of ten thousand.', 'cut the budget by a third.', 'paid the taxes late.', 'expected a higher profit.'],
	},
	software: {
		beginnings: ['The programmer', 'A new colleague', 'The team of developers', 'The administrator of the server', 'An open source maintainer'],
		ends: ['fixed the bug in the parser.', 'wrote a test for the function.', 'deployed the release at night.', 'reviewed the code of the module.', 'rolled back the database migration.', 'measured the memory of the process.', 'reported a crash of the browser.', 'renamed the variables in the loop.'],
	},
	grief: {
		beginnings: ['The widow', 'My best friend', 'The father of the boy', 'A lonely woman', 'The whole family'],
		ends: ['cried at the funeral.', 'missed him every evening.', 'could not speak about the loss.', 'kept her letters in a drawer.', 'visited the grave on Sunday.', 'felt empty after the farewell.', 'lit a candle in his memory.', 'mourned in silence.'],
	},
};

const french: Record<string, Topic> = {
	sea: {
		beginnings: ['Le vieux marin', 'Un bateau de pêche', 'Le capitaine du ferry', 'Un plongeur du port', 'Le gardien du phare'],
		ends: ['attendait la marée.', 'est revenu avant la tempête.', 'a vu des dauphins au-delà du récif.', 'a perdu l\'ancre en eau profonde.', 'connaissait chaque courant de la côte.', 'passait entre les rochers.', 'regardait les vagues sur la plage.', 'sentait le sel et les algues.'],
	},
	kitchen: {
		beginnings: ['Le cuisinier', 'Ma tante', 'Le jeune boulanger', 'Un invité en tablier', 'Le chef du petit restaurant'],
		ends: ['a haché finement les oignons.', 'a laissé mijoter la sauce une heure.', 'a pétri la pâte à la main.', 'a goûté la soupe et ajouté du poivre.', 'a rôti les légumes à l\'huile d\'olive.', 'a sorti le gâteau du four.', 'a battu les œufs avec le sucre.', 'a servi le poisson avec du citron.'],
	},
	money: {
		beginnings: ['Le comptable', 'Un investisseur prudent', 'La banque centrale', 'Notre service financier', 'Le patron de l\'entreprise'],
		ends: ['s\'inquiétait de l\'inflation.', 'a comparé les taux d\'intérêt.', 'a clos les comptes du trimestre.', 'a vendu les actions à perte.', 'a demandé un prêt de dix mille.', 'a réduit le budget d\'un tiers.', 'a payé les impôts en retard.', 'attendait un bénéfice plus élevé.'],
	},
	software: {
		beginnings: ['Le programmeur', 'Un nouveau collègue', 'L\'équipe de développeurs', 'L\'administrateur du serveur', 'Un mainteneur de logiciel libre'],
		ends: ['a corrigé le défaut de l\'analyseur.', 'a écrit un test pour la fonction.', 'a déployé la version de nuit.', 'a relu le code du module.', 'a annulé la migration de la base.', 'a mesuré la mémoire du processus.', 'a signalé un plantage du navigateur.', 'a renommé les variables de la boucle.'],
	},
	grief: {
		beginnings: ['La veuve', 'Mon meilleur ami', 'Le père du garçon', 'Une femme seule', 'Toute la famille'],
		ends: ['a pleuré à l\'enterrement.', 'le regrettait chaque soir.', 'ne pouvait parler de cette perte.', 'gardait ses lettres dans un tiroir.', 'allait sur la tombe le dimanche.', 'se sentait vide après l\'adieu.', 'a allumé une bougie en sa mémoire.', 'portait le deuil en silence.'],
	},
};

const sentencesOf = (topics: Record<string, Topic>): string[][] => Object.values(topics).map(({beginnings, ends}) => beginnings.flatMap(beginning => ends.map(end => `${beginning} ${end}`)));

/** The sentences of each topic. */
export const topics: Readonly<Record<'English' | 'French', readonly string[][]>> = {English: sentencesOf(english), French: sentencesOf(french)};
