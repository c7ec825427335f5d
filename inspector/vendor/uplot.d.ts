/** The chart library, served from its package. */
import uPlot = require('uplot');

export default uPlot;
